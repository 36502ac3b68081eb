import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import type { ChangedText } from './changed-text.ts';

/** One line of a manifest: `{ system: 'npm', name: 'left-pad', range: '^1.3.0', line: 12 }`. */
export interface Dependency {
  readonly system: 'npm' | 'python';
  readonly name: string;
  readonly range: string;
  readonly line: number;
}

export interface DependencyNews {
  /** New ones, and those with another range. */
  readonly added: readonly Dependency[];
  readonly gone: readonly Dependency[];
}

export function isManifest(path: string): boolean {
  const name = posix.basename(path);
  if (name === 'package.json' || name === 'pyproject.toml') return true;
  return name.includes('requirements') && /^[\w-]+\.txt$/.test(name);
}

export function readDependencyNews({ path, before, after }: ChangedText): DependencyNews | undefined {
  if (!isManifest(path)) return undefined;
  const [old, now] = [dependenciesOf(path, before), dependenciesOf(path, after)];
  const has = (all: readonly Dependency[], { name, range }: Dependency, exact: boolean) =>
    all.some((other) => other.name === name && (!exact || other.range === range));
  const news = {
    added: now.filter((each) => !has(old, each, true)),
    gone: old.filter((each) => !has(now, each, false)),
  };
  return news.added.length + news.gone.length === 0 ? undefined : news;
}

/** Everything that a manifest asks for. What cannot be read asks for nothing. */
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
  const document = parseToml(text) as {
    project?: { dependencies?: unknown[] };
    tool?: { poetry?: { dependencies?: Record<string, unknown> } };
  };
  const rows = text.split('\n');
  const listed = (document.project?.dependencies ?? []).flatMap((each) =>
    typeof each === 'string' ? ofRequirement(each, lineOf(rows, each)) : [],
  );
  const poetry = Object.entries(document.tool?.poetry?.dependencies ?? {}).flatMap(([name, range]) =>
    typeof range === 'string' && name !== 'python'
      ? [
          {
            system: 'python' as const,
            name: plainName(name),
            range: caretRange(range),
            line: lineOf(rows, name),
          },
        ]
      : [],
  );
  return [...listed, ...poetry];
}

function ofRequirement(row: string, line: number): Dependency[] {
  const [, name, rest = ''] = /^([A-Za-z0-9][\w.-]*)([^;#]*)/.exec(row.trimStart()) ?? [];
  if (name === undefined) return [];
  const extras = rest.trimStart();
  const range = (extras.startsWith('[') ? extras.slice(extras.indexOf(']') + 1) : extras).replace(/\s+/g, '');
  // `name @ https://…` is no range.
  if (range !== '' && !/^[<>=!~]/.test(range)) return [];
  return [{ system: 'python', name: plainName(name), range, line }];
}

/** Python takes `Foo_Bar` and `foo-bar` for the same. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** Poetry's `^1.2` as pip says it. */
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
