import { childOf, within } from '#code/resolve/repository-path.ts';
import type { Search } from '#code/resolve/search.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';
import { readManifest } from './manifest.ts';

/** TypeScript files resolve as the compiler does, JavaScript files as Node and bundlers do. */
export type Flavor = 'typescript' | 'javascript';

export interface Hit {
  readonly path: string;
  readonly exact: boolean;
}

export interface Lookup {
  readonly tree: Tree;
  readonly documents: Documents;
  readonly flavor: Flavor;
  readonly search: Search;
}

const script = ['.ts', '.tsx', '.d.ts', '.js', '.jsx'];
/** The extensions that a written extension may mean, in TypeScript's order. */
const standsFor: Readonly<Record<string, readonly string[]>> = {
  '.ts': script,
  '.d.ts': script,
  '.js': script,
  '.tsx': ['.tsx', '.ts', '.d.ts', '.jsx', '.js'],
  '.jsx': ['.tsx', '.ts', '.d.ts', '.jsx', '.js'],
  '.mts': ['.mts', '.d.mts', '.mjs'],
  '.d.mts': ['.mts', '.d.mts', '.mjs'],
  '.mjs': ['.mts', '.d.mts', '.mjs'],
  '.cts': ['.cts', '.d.cts', '.cjs'],
  '.d.cts': ['.cts', '.d.cts', '.cjs'],
  '.cjs': ['.cts', '.d.cts', '.cjs'],
  '.json': ['.d.json.ts', '.json'],
};
/** Extensions that only bundlers add to an import; Node's `require` adds the last one. */
const bundled = ['.mts', '.cts', '.d.mts', '.d.cts', '.mjs', '.cjs', '.json'];
const javascriptFirst = ['.js', '.jsx', '.mjs', '.cjs', '.json', '.ts', '.tsx', '.d.ts', '.mts', '.cts'];
const source = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts'];

/** The file that a path means, whatever its extension. */
function findFile({ search, flavor }: Lookup, path: string): Hit | undefined {
  if (flavor === 'javascript') {
    return exactly(search, [path, ...added(path, javascriptFirst), ...replaced(path)]);
  }
  return (
    exactly(search, [...replaced(path), ...added(path, script), path]) ??
    loosely(search, added(path, bundled))
  );
}

/** The first file that a package.json names: extensions are replaced; adding one is only an assumption. */
export function findTarget({ search, flavor }: Lookup, paths: readonly string[]): Hit | undefined {
  const candidates = paths.map((path) => {
    const isWritten = flavor === 'javascript' || /\.[cm]?tsx?$/.test(path);
    return isWritten ? [path, ...replaced(path)] : [...replaced(path), path];
  });
  return (
    exactly(search, candidates.flat()) ??
    loosely(
      search,
      paths.flatMap((path) => added(path, script)),
    )
  );
}

/** What importing a folder means: the entries of its package.json, then its index. */
export function findDirectory(lookup: Lookup, path: string): Hit | undefined {
  return findEntries(lookup, path) ?? findFile(lookup, childOf(path, 'index'));
}

export function findPath(lookup: Lookup, path: string): Hit | undefined {
  return findFile(lookup, path) ?? findDirectory(lookup, path);
}

/** The source of build output; always an assumption. */
export function findSource({ search }: Lookup, stem: string): Hit | undefined {
  return loosely(search, [...added(stem, source), ...added(childOf(stem, 'index'), source)]);
}

/** Suffixes that bundlers for several platforms choose among, whatever the config says. */
const platforms = ['.web', '.native', '.ios', '.android'];
const components = ['.vue', '.svelte', '.astro'];

/** A file beside the missing one that a bundler or `moduleSuffixes` may choose instead. */
export function findStandIn(
  { search }: Lookup,
  path: string,
  moduleSuffixes: readonly string[],
): string | undefined {
  const stem = path.replace(/\.[cm]?[jt]sx?$/, '');
  const suffixes = [...new Set([...platforms, ...moduleSuffixes])].filter((suffix) => suffix !== '');
  const modules = [stem, childOf(stem, 'index')].flatMap((module) =>
    suffixes.flatMap((suffix) => added(module + suffix, script)),
  );
  return [...added(stem, components), ...modules].find((candidate) => search.file(candidate) !== undefined);
}

function findEntries(lookup: Lookup, directory: string): Hit | undefined {
  const path = childOf(directory, 'package.json');
  lookup.search.note(path);
  const manifest = readManifest(lookup.tree, lookup.documents, path);
  if (manifest.status !== 'read') return undefined;
  for (const entry of manifest.value.entries) {
    const target = within(directory, entry);
    if (target === undefined || target === directory) continue;
    const hit = findFile(lookup, target) ?? findFile(lookup, childOf(target, 'index'));
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function exactly(search: Search, paths: readonly string[]): Hit | undefined {
  const path = paths.find((candidate) => search.file(candidate) !== undefined);
  return path === undefined ? undefined : { path, exact: true };
}

function loosely(search: Search, paths: readonly string[]): Hit | undefined {
  const path = paths.find((candidate) => search.file(candidate) !== undefined);
  return path === undefined ? undefined : { path, exact: false };
}

function added(path: string, extensions: readonly string[]): string[] {
  return extensions.map((extension) => path + extension);
}

function replaced(path: string): string[] {
  const extension = /(?:\.d)?\.[cm]?[jt]sx?$|\.json$/.exec(path)?.[0] ?? /\.[^./]+$/.exec(path)?.[0];
  if (extension === undefined) return [];
  const stem = path.slice(0, -extension.length);
  if (stem === '' || stem.endsWith('/')) return [];
  // `style.d.css.ts` describes `style.css`.
  return added(stem, standsFor[extension] ?? [`.d${extension}.ts`]);
}
