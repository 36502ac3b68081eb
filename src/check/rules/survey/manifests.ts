import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import type { ChangedText } from './changed-text.ts';

/** One line of a manifest: `{ system: 'npm', name: 'left-pad', range: '^1.3.0', line: 12 }`. */
export interface Dependency {
  readonly system: 'npm' | 'python';
  readonly name: string;
  readonly range: string;
  readonly line: number;
  /** The previous range of the manifest. */
  readonly before?: string;
}

export interface DependencyNews {
  /** New ones, and those with another range. */
  readonly added: readonly Dependency[];
  readonly gone: readonly Dependency[];
}

export function isManifest(path: string): boolean {
  const name = posix.basename(path);
  if (name === 'package.json' || name === 'pyproject.toml') return true;
  const isNamed = name.includes('requirements') || isFolderOfManifests(posix.dirname(path));
  return isNamed && /^[\w-]+\.(?:txt|in)$/.test(name);
}

/** `requirements/base.txt` applies to the folder above. */
function isFolderOfManifests(folder: string): boolean {
  return posix.basename(folder) === 'requirements';
}

/** The folder of the code that a manifest is for. */
export function folderOfManifest(path: string): string {
  const folder = posix.dirname(path);
  return isFolderOfManifests(folder) ? posix.dirname(folder) : folder;
}

export function readDependencyNews({ path, before, after }: ChangedText): DependencyNews | undefined {
  if (!isManifest(path)) return undefined;
  const [old, now] = [dependenciesOf(path, before), dependenciesOf(path, after)];
  const has = (all: readonly Dependency[], { name, range }: Dependency, exact: boolean) =>
    all.some((other) => other.name === name && (!exact || other.range === range));
  const news = {
    added: now
      .filter((each) => !has(old, each, true))
      .map((each) => ({ ...each, ...rangeBefore(old, each) })),
    gone: old.filter((each) => !has(now, each, false)),
  };
  return news.added.length + news.gone.length === 0 ? undefined : news;
}

function rangeBefore(old: readonly Dependency[], { name }: Dependency): Pick<Dependency, 'before'> {
  const before = old.find((other) => other.name === name)?.range;
  return before === undefined ? {} : { before };
}

/** All dependencies of a manifest; none when it cannot be parsed. */
export function dependenciesOf(path: string, text: string): Dependency[] {
  try {
    if (path.endsWith('.json')) return ofPackage(text);
    return path.endsWith('.toml')
      ? ofProject(text)
      : text.split('\n').flatMap((row, index) => ofRequirement(row, index + 1));
  } catch {
    return [];
  }
}

const sections = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

function ofPackage(text: string): Dependency[] {
  if (text === '') return [];
  const document = JSON.parse(text) as Record<string, unknown>;
  const rows = text.split('\n');
  return sections.flatMap((section) =>
    Object.entries((document[section] ?? {}) as Record<string, unknown>).flatMap(([name, range]) =>
      typeof range === 'string'
        ? [{ system: 'npm' as const, name, range, line: lineOf(rows, `"${name}"`) }]
        : [],
    ),
  );
}

function ofProject(text: string): Dependency[] {
  if (text === '') return [];
  const { project, tool, ...document } = parseToml(text) as PythonProject;
  const rows = text.split('\n');
  const lists = [
    project?.dependencies ?? [],
    ...Object.values(project?.['optional-dependencies'] ?? {}),
    ...Object.values(document['dependency-groups'] ?? {}),
  ];
  const listed = lists
    .flat()
    .flatMap((each) => (typeof each === 'string' ? ofRequirement(each, lineOf(rows, each)) : []));
  const groups = Object.values(tool?.poetry?.group ?? {}).map(({ dependencies }) => dependencies);
  const poetry = [tool?.poetry?.dependencies, tool?.poetry?.['dev-dependencies'], ...groups].flatMap((each) =>
    Object.entries(each ?? {}),
  );
  return [
    ...listed,
    ...poetry.flatMap(([name, written]): Dependency[] => {
      const range = typeof written === 'object' ? (written as { version?: unknown }).version : written;
      if (typeof range !== 'string' || name === 'python') return [];
      return [
        { system: 'python', name: plainName(name), range: caretRange(range), line: lineOf(rows, name) },
      ];
    }),
  ];
}

type ByName<Value> = Readonly<Record<string, Value>>;

/** The tables of a pyproject.toml that list packages. */
interface PythonProject {
  readonly project?: {
    readonly dependencies?: readonly unknown[];
    readonly 'optional-dependencies'?: ByName<readonly unknown[]>;
  };
  readonly 'dependency-groups'?: ByName<readonly unknown[]>;
  readonly tool?: {
    readonly poetry?: {
      readonly dependencies?: ByName<unknown>;
      readonly 'dev-dependencies'?: ByName<unknown>;
      readonly group?: ByName<{ readonly dependencies?: ByName<unknown> }>;
    };
  };
}

function ofRequirement(row: string, line: number): Dependency[] {
  // pip-compile writes `name==1.2 \`, with hashes on the next lines.
  const plain = row.trim().replace(/(?<!\s)(?:\s+--hash=\S+)*(?:\s*\\)?$/, '');
  const [, name, rest = ''] = /^([A-Za-z0-9][\w.-]*)([^;#]*)/.exec(plain) ?? [];
  if (name === undefined) return [];
  const extras = rest.trimStart();
  const range = (extras.startsWith('[') ? extras.slice(extras.indexOf(']') + 1) : extras).replace(/\s+/g, '');
  // `name @ https://…` is not a range.
  if (range !== '' && !/^[<>=!~]/.test(range)) return [];
  return [{ system: 'python', name: plainName(name), range, line }];
}

/** Python treats `Foo_Bar` and `foo-bar` as the same. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** Poetry's `^1.2` in pip's syntax. */
function caretRange(range: string): string {
  const [, major = '0', rest = ''] = /^\^(\d+)(\.[\d.]+)?$/.exec(range) ?? [];
  return range.startsWith('^') ? `>=${major}${rest},<${Number(major) + 1}` : range;
}

function lineOf(rows: readonly string[], word: string): number {
  return (
    Math.max(
      rows.findIndex((row) => row.includes(word)),
      0,
    ) + 1
  );
}
