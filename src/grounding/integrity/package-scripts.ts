import { parseJson } from '#lib/parse-json.ts';

type Package = Readonly<Record<string, unknown>>;

/** Keys with settings of runners, linters and Joinery. */
const settings = [
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'nyc',
  'c8',
  'eslintConfig',
  'eslintIgnore',
  'prettier',
  'stylelint',
  'xo',
  'standard',
  'lint-staged',
  'husky',
  'babel',
  'wireit',
  'nx',
  'joinery',
];

const runners =
  /^(vitest|jest|mocha|ava|tap|uvu|jasmine|karma|playwright|@playwright\/test|cypress|eslint|typescript|prettier|stylelint|oxlint|@biomejs\/biome|c8|nyc|knip|tsx|ts-node|turbo|nx)$/;

export interface ManifestChange {
  readonly what: string;
  readonly detail: string;
  readonly isLesser: boolean;
}

/** How a change of package.json affects gates. Adding a dependency or a script with a new name has no effect. */
export function manifestChanges(before: string | null, after: string | null): ManifestChange[] {
  const old = read(before);
  const now = read(after);
  if (old === null || now === null)
    return [{ what: 'manifest', detail: 'it cannot be read as JSON', isLesser: false }];
  return [...scriptChanges(old, now), ...settingChanges(old, now), ...runnerChanges(old, now)];
}

function read(text: string | null): Package | null {
  if (text === null || text.trim() === '') return {};
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Package) : null;
}

/** Scripts that package managers run before any gate. */
const installHook = /^((pre|post)?(install|prepare)|dependencies)$/;

function scriptChanges(before: Package, after: Package): ManifestChange[] {
  const old = textsOf(before.scripts);
  const now = textsOf(after.scripts);
  const isHook = (name: string) =>
    installHook.test(name) || (/^(pre|post)/.test(name) && old.has(name.replace(/^(pre|post)/, '')));
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name): ManifestChange[] => {
    if (old.get(name) === now.get(name) || (!old.has(name) && !isHook(name))) return [];
    const what = `script ${JSON.stringify(name)}`;
    return [{ what, detail: now.has(name) ? 'runs something else now' : 'is gone', isLesser: false }];
  });
}

function settingChanges(before: Package, after: Package): ManifestChange[] {
  return settings.flatMap((key) => {
    if (JSON.stringify(before[key]) === JSON.stringify(after[key])) return [];
    return [{ what: `setting ${JSON.stringify(key)}`, detail: 'was changed', isLesser: false }];
  });
}

/** Taking a runner from elsewhere, or removing it, decides a gate's result; a newer version only might. */
function runnerChanges(before: Package, after: Package): ManifestChange[] {
  const old = dependenciesOf(before);
  const now = dependenciesOf(after);
  return [...old].flatMap(([name, version]): ManifestChange[] => {
    const next = now.get(name);
    if (!runners.test(name) || next === version) return [];
    const isForeign =
      next === undefined || /^(file|link|portal|workspace|git|https?|npm|github|patch):|\//.test(next);
    return [
      {
        what: `tool ${name}`,
        detail: isForeign ? 'is gone or comes from elsewhere' : 'has another version',
        isLesser: !isForeign,
      },
    ];
  });
}

function dependenciesOf(manifest: Package): Map<string, string> {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'resolutions'];
  return new Map(kinds.flatMap((kind) => [...textsOf(manifest[kind])]));
}

function textsOf(value: unknown): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(
    Object.entries(value).map(([key, text]) => [key, typeof text === 'string' ? text : JSON.stringify(text)]),
  );
}
