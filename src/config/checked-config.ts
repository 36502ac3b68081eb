import type { z } from 'zod';
import { nearest } from '#lib/nearest.ts';
import { ConfigError } from '#schema/errors.ts';
import { ruleIds } from '#schema/rules.ts';
import type { ConfigFile } from './find-config-file.ts';
import { type LoadedConfig, type Override, withOverrides } from './read-config.ts';
import { Config } from './settings.ts';
import { configSettings, unknownSettings } from './shape.ts';

/** Validates the settings of a file with overrides against the schema. */
export function checkConfig(
  file: ConfigFile | null,
  overrides: readonly Override[],
): Pick<LoadedConfig, 'values' | 'warnings'> {
  const typed = overrides.map((override) =>
    override.origin.kind === 'environment' ? { ...override, value: readVariable(override) } : override,
  );
  const retired = file === null ? undefined : Object.keys(retiredKeys).find((key) => hasKey(file.value, key));
  if (file && retired !== undefined)
    throw new ConfigError({
      code: 'bad-config',
      message: `${file.locate([retired])}: "${retired}" is ${retiredKeys[retired]} now`,
      hint: 'joinery doctor shows every setting and where it comes from',
    });
  const parsed = Config.safeParse(withOverrides(file?.value ?? {}, typed));
  if (!parsed.success) throw explain(parsed.error.issues, file, overrides);
  const warnings = file
    ? [
        ...unknownSettings(file.value).map((unknown) => warningFor(unknown, file)),
        ...unknownRules(parsed.data).map(({ path, id }) => ruleWarning(file.locate(path), id)),
      ]
    : [];
  return { values: parsed.data, warnings };
}

/** Settings that are called otherwise today: a warning would leave a project less guarded than it says. */
const retiredKeys: Readonly<Record<string, string>> = { strict: '"block": "important"' };

function hasKey(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

/** Variables are text; a value that does not fit the setting's type stays unchanged, and the schema refuses it. */
function readVariable({ key, value }: Override): unknown {
  const text = String(value);
  const type = configSettings().find((setting) => setting.key === key)?.shape.type;
  if (type === 'boolean' && /^(true|1|yes|on)$/i.test(text)) return true;
  if (type === 'boolean' && /^(false|0|no|off)$/i.test(text)) return false;
  if (type === 'number' && /^\d+(\.\d+)?$/.test(text)) return Number(text);
  return type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
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

/** Configured rules that do not exist: a typo would leave a rule unsilenced. */
function unknownRules({ rules: severities, ignore }: Config): { path: (string | number)[]; id: string }[] {
  const known = new Set<string>(ruleIds);
  return [
    ...Object.keys(severities).map((id) => ({ path: ['rules', id], id })),
    ...ignore.flatMap(({ rule }, at) =>
      rule === undefined ? [] : [{ path: ['ignore', at, 'rule'], id: rule }],
    ),
  ].filter(({ id }) => !known.has(id));
}

function ruleWarning(place: string, id: string): string {
  const meant = nearest(id, ruleIds);
  return `${place}: there is no rule "${id}"${meant === null ? '' : `; did you mean "${meant}"?`}`;
}
