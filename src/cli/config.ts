import type { z } from 'zod';
import { Config, type ConfigKey, configVariables } from '../model/config.ts';
import type { ConfigFile } from '../model/config-file.ts';
import { configSettings, findUnknownKeys } from '../model/config-shape.ts';
import { ConfigError } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import { rules } from '../model/rules.ts';
import { readConfigFile } from './config-file.ts';
import type { CommandTable, Option } from './table.ts';

/** Where a value comes from, the strongest first: a flag, a variable, the project, the default. */
export type Origin =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'project'; readonly name: string }
  | { readonly kind: 'default' };

export interface LoadedConfig {
  readonly values: Config;
  /** Of a setting by its dotted path: `cache.maxBytes`. */
  origin(key: string): Origin;
  /** For people; null when the project has no config file. */
  readonly file: string | null;
  readonly warnings: readonly string[];
}

interface Override {
  readonly key: ConfigKey;
  readonly value: unknown;
  readonly origin: Origin & { readonly name: string };
}

interface Sources {
  /** Top of the working tree; null when there is none. */
  readonly root: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags?: readonly Override[];
}

/** The only place where settings are merged: flag over environment over project over default. */
export function loadConfig({ root, env, flags = [] }: Sources): LoadedConfig {
  const file = root === null ? null : readConfigFile(root);
  const overrides = [...fromEnvironment(env), ...flags];
  const raw = overrides.reduce<unknown>(
    (settings, { key, value }) => withSetting(settings, key.split('.'), value),
    file?.value ?? {},
  );
  const parsed = Config.safeParse(raw);
  if (!parsed.success) throw explain(parsed.error.issues, file, overrides);
  return {
    values: parsed.data,
    origin: (key) => originOf(key, file, overrides),
    file: file?.name ?? null,
    warnings: file
      ? [
          ...findUnknownKeys(file.value).map((unknown) => warningFor(unknown, file)),
          ...unknownRules(parsed.data).map(({ path, id }) => ruleWarning(file.locate(path), id)),
        ]
      : [],
  };
}

/** The settings that were typed as options. */
export function flagsOf(table: CommandTable, typed: Readonly<Record<string, unknown>>): Override[] {
  return table.options.flatMap((option: Option) => {
    const value = typed[option.name];
    if (option.config === undefined || value === undefined) return [];
    return [{ key: option.config, value, origin: { kind: 'flag', name: `--${option.name}` } as const }];
  });
}

function fromEnvironment(env: Sources['env']): Override[] {
  return Object.entries(configVariables).flatMap(([key, name]) => {
    const text = env[name];
    if (text === undefined || text === '') return [];
    return [
      {
        key: key as ConfigKey,
        value: readVariable(key, text),
        origin: { kind: 'environment', name } as const,
      },
    ];
  });
}

/** Variables are text; what the setting's type does not allow is left as it is for the schema to refuse. */
function readVariable(key: string, text: string): unknown {
  const type = configSettings().find((setting) => setting.key === key)?.shape.type;
  if (type === 'boolean' && /^(true|1|yes|on)$/i.test(text)) return true;
  if (type === 'boolean' && /^(false|0|no|off)$/i.test(text)) return false;
  if (type === 'number' && /^\d+(\.\d+)?$/.test(text)) return Number(text);
  return type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
}

function withSetting(settings: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const around = typeof settings === 'object' && settings !== null ? settings : {};
  const inner = (around as Record<string, unknown>)[name];
  return { ...around, [name]: rest.length === 0 ? value : withSetting(inner, rest, value) };
}

function originOf(key: string, file: ConfigFile | null, overrides: readonly Override[]): Origin {
  const override = overrides.findLast((each) => each.key === key);
  if (override) return override.origin;
  const isInFile = file !== null && hasSetting(file.value, key.split('.'));
  return isInFile ? { kind: 'project', name: file.name } : { kind: 'default' };
}

function hasSetting(value: unknown, [name = '', ...rest]: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return rest.length === 0 || hasSetting((value as Record<string, unknown>)[name], rest);
}

function explain(
  issues: readonly z.core.$ZodIssue[],
  file: ConfigFile | null,
  overrides: readonly Override[],
): ConfigError {
  const [issue] = issues;
  const path = (issue?.path ?? []).filter((part) => typeof part !== 'symbol');
  const key = path.join('.');
  const override = overrides.findLast((each) => each.key === key);
  const place = override?.origin.name ?? file?.locate(path) ?? key;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new ConfigError({
    code: 'bad-config',
    message: `${place}: ${key === '' ? '' : `"${key}": `}${issue?.message ?? 'not usable'}${more}`,
    hint: 'joinery doctor shows every setting and where it comes from',
  });
}

function warningFor(
  { path, meant }: { path: readonly (string | number)[]; meant: string | null },
  file: ConfigFile,
): string {
  const guess = meant === null ? '' : `; did you mean "${meant}"?`;
  return `${file.locate(path)}: unknown key "${path.join('.')}"${guess}`;
}

/** Rules that are named and do not exist: what was meant to be silenced is not. */
function unknownRules({ rules: severities, ignore }: Config): { path: (string | number)[]; id: string }[] {
  const known = new Set(rules.map(({ id }) => id));
  return [
    ...Object.keys(severities).map((id) => ({ path: ['rules', id], id })),
    ...ignore.flatMap(({ rule }, at) =>
      rule === undefined ? [] : [{ path: ['ignore', at, 'rule'], id: rule }],
    ),
  ].filter(({ id }) => !known.has(id));
}

function ruleWarning(place: string, id: string): string {
  const meant = nearest(
    id,
    rules.map((rule) => rule.id),
  );
  return `${place}: there is no rule "${id}"${meant === null ? '' : `; did you mean "${meant}"?`}`;
}
