import { configDefaults } from './defaults.ts';
import type { ConfigFile } from './find-config-file.ts';
import { readConfigFile } from './read-config-file.ts';
import type { Config } from './settings.ts';
import { type ConfigKey, configVariables } from './variables.ts';

/** Where a value comes from, strongest first: a flag, a variable, the project, the default. */
export type Origin =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'project'; readonly name: string }
  | { readonly kind: 'default' };

export interface LoadedConfig {
  readonly values: Config;
  /** Origin of a setting by its dotted path: `cache.maxBytes`. */
  origin(key: string): Origin;
  /** For people; null when the project has no config file. */
  readonly file: string | null;
  readonly warnings: readonly string[];
}

/** A setting that overrides the project's. */
export interface Override {
  readonly key: ConfigKey;
  readonly value: unknown;
  readonly origin: Origin & { readonly name: string };
  /** The command line has already validated the value. */
  readonly isChecked: boolean;
}

interface Sources {
  /** Top of the working tree; null when there is none. */
  readonly root: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags?: readonly Override[];
}

/** The settings on disk. */
export async function loadConfig({ root, ...over }: Sources): Promise<LoadedConfig> {
  return configFrom(root === null ? null : readConfigFile(root), over);
}

/** The only place where settings are merged: flag over environment over project over default. */
export async function configFrom(
  file: ConfigFile | null,
  { env, flags = [] }: Omit<Sources, 'root'>,
): Promise<LoadedConfig> {
  const overrides = [...fromEnvironment(env), ...flags];
  const { values, warnings } =
    file === null && overrides.every(({ isChecked }) => isChecked)
      ? { values: withOverrides(configDefaults, overrides) as Config, warnings: [] }
      : // Loading the schema takes longer than all of the above: only when there is something to check.
        (await import('./checked-config.ts')).checkConfig(file, overrides);
  return {
    values,
    origin: (key) => originOf(key, file, overrides),
    file: file?.name ?? null,
    warnings,
  };
}

function fromEnvironment(env: Sources['env']): Override[] {
  return Object.entries(configVariables).flatMap(([key, name]) => {
    const value = env[name];
    if (value === undefined || value === '') return [];
    const origin = { kind: 'environment', name } as const;
    return [{ key: key as ConfigKey, value, origin, isChecked: false }];
  });
}

export function withOverrides(settings: unknown, overrides: readonly Override[]): unknown {
  return overrides.reduce((changed, { key, value }) => withSetting(changed, key.split('.'), value), settings);
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
