import { stringify } from 'smol-toml';
import type { IniSection } from './read-ini.ts';
import {
  type AllowList,
  flag,
  isInside,
  keep,
  listOf,
  paths,
  patterns,
  type Setting,
  version,
  word,
  words,
} from './settings.ts';

/** Settings of mypy as Joinery passes them: the file, and whether it says what to check. */
export interface MypySettings {
  readonly file: string;
  readonly text: string;
  readonly namesFiles: boolean;
}

const flags = [
  'strict',
  'allow_redefinition',
  'allow_redefinition_new',
  'allow_redefinition_old',
  'allow_untyped_globals',
  'check_untyped_defs',
  'disable_bytearray_promotion',
  'disable_memoryview_promotion',
  'disallow_any_decorated',
  'disallow_any_explicit',
  'disallow_any_expr',
  'disallow_any_generics',
  'disallow_any_unimported',
  'disallow_incomplete_defs',
  'disallow_subclassing_any',
  'disallow_untyped_calls',
  'disallow_untyped_decorators',
  'disallow_untyped_defs',
  'explicit_package_bases',
  'extra_checks',
  'fast_module_lookup',
  'follow_imports_for_stubs',
  'follow_untyped_imports',
  'force_union_syntax',
  'force_uppercase_builtins',
  'ignore_errors',
  'ignore_missing_imports',
  'implicit_optional',
  'implicit_reexport',
  'local_partial_types',
  'namespace_packages',
  'new_type_inference',
  'no_site_packages',
  'no_silence_site_packages',
  'old_type_inference',
  'report_deprecated_as_note',
  'strict_bytes',
  'strict_concatenate',
  'strict_equality',
  'strict_equality_for_none',
  'strict_optional',
  'warn_incomplete_stub',
  'warn_no_return',
  'warn_redundant_casts',
  'warn_return_any',
  'warn_unreachable',
  'warn_unused_ignores',
];

/** mypy accepts negated flags as well: `no_implicit_optional`, `allow_untyped_defs`. */
const turned = flags.flatMap((name) => [
  `no_${name}`,
  ...(name.startsWith('disallow_') ? [name.slice('dis'.length)] : []),
  ...(name.startsWith('allow_') ? [`dis${name}`] : []),
]);

const allowed: AllowList = new Map([
  ...[...flags, ...turned].map((name) => [name, flag] as const),
  ['python_version', version],
  ['platform', word],
  ['follow_imports', word],
  ['always_true', words],
  ['always_false', words],
  ['disable_error_code', words],
  ['enable_error_code', words],
  ['enable_incomplete_feature', words],
  ['untyped_calls_exclude', words],
  ['deprecated_calls_exclude', words],
  ['packages', words],
  ['modules', words],
  ['files', paths],
  ['mypy_path', searchPath],
  ['exclude', patterns],
]);

/** mypy reads the settings in the folder that it checks, so the name of that folder is irrelevant. */
function searchPath(value: unknown): readonly string[] | null {
  const relative = (text: string) =>
    text.replace(/^\$(?:MYPY_CONFIG_FILE_DIR|\{MYPY_CONFIG_FILE_DIR\})\/?/, '');
  const items = typeof value === 'string' ? value.split(/[,:]/) : value;
  if (!Array.isArray(items)) return null;
  return listOf(
    items.map((item) => (typeof item === 'string' ? relative(item.trim()) || '.' : '')),
    /,/,
    isInside,
  );
}

const keepAllowed = (settings: Readonly<Record<string, unknown>>) =>
  keep(settings, (key) => allowed.get(key));

const namesFiles = (settings: readonly (readonly [string, Setting])[]): boolean =>
  settings.some(([key]) => key === 'files' || key === 'packages' || key === 'modules');

/** `mypy-app.*,lib`: a section for some modules. */
const moduleSection = /^mypy-[\p{L}\p{N}_.*, /-]+$/u;

export function mypyFromIni(sections: readonly IniSection[]): MypySettings {
  const kept = sections.flatMap(([name, settings]) =>
    name === 'mypy' || moduleSection.test(name) ? [[name, keepAllowed(settings)] as const] : [],
  );
  const text = kept.map(([name, settings]) => `[${name}]\n${settings.map(iniLine).join('')}`).join('');
  const global = kept.find(([name]) => name === 'mypy')?.[1] ?? [];
  return { file: 'joinery-mypy.ini', text: text || '[mypy]\n', namesFiles: namesFiles(global) };
}

function iniLine([key, value]: readonly [string, Setting]): string {
  if (typeof value === 'boolean') return `${key} = ${value ? 'True' : 'False'}\n`;
  if (typeof value === 'string') return `${key} = ${value}\n`;
  if (key !== 'exclude') return `${key} = ${value.join(', ')}\n`;
  const lines = value
    .join('\n')
    .split('\n')
    .map((line) => line.trim());
  return `${key} =\n${lines.map((line) => (line === '' ? '' : `    ${line}\n`)).join('')}`;
}

/** The table `tool.mypy` of pyproject.toml. */
export function mypyFromToml(table: Readonly<Record<string, unknown>>): MypySettings {
  const global = keepAllowed(table);
  const overrides = Array.isArray(table.overrides) ? table.overrides.flatMap(override) : [];
  const mypy = { ...Object.fromEntries(global), ...(overrides.length > 0 ? { overrides } : {}) };
  return {
    file: 'joinery-mypy.toml',
    text: stringify({ tool: { mypy } }),
    namesFiles: namesFiles(global),
  };
}

function override(value: unknown): Record<string, Setting>[] {
  if (typeof value !== 'object' || value === null) return [];
  const table = value as Readonly<Record<string, unknown>>;
  const module = words(typeof table.module === 'string' ? [table.module] : table.module);
  return module === null ? [] : [{ module, ...Object.fromEntries(keepAllowed(table)) }];
}
