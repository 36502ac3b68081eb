import type { Facts } from '#code/facts/facts.ts';
import type { TreeEntry } from '#git/tree.ts';
import { changedNames } from './interface-keys.ts';
import { dependenceOf, type LinkedFile, touchedPaths } from './linked-file.ts';

/** A path at which two trees differ, with what is there in each. */
export interface PathDifference {
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** How two trees differ, as far as links care. */
export interface TreeDifference {
  /** Paths, and the folders above them, at which something appeared, vanished or became something else. */
  readonly presence: ReadonlySet<string>;
  /** Files with other content: the names that mean something else now. */
  readonly content: ReadonlyMap<string, ReadonlySet<string>>;
}

const everything: ReadonlySet<string> = new Set(['*', '**']);

/** Documents and package markers decide where any import leads; the resolvers look at them before any question. */
const steering = /(\.(json|ya?ml|toml|cfg)|(^|\/)__init__\.pyi?)$/;

/** null: so different that no link can be carried over. */
export function treeDifference(
  differences: readonly PathDifference[],
  factsOf: (path: string, blob: string) => Facts | undefined,
): TreeDifference | null {
  const presence = new Set<string>();
  const content = new Map<string, ReadonlySet<string>>();
  for (const { path, before, after } of differences) {
    const isContent = before?.kind === 'file' && after?.kind === 'file';
    if (steering.test(path) && !(isContent && /\.pyi?$/.test(path))) return null;
    if (isContent) content.set(path, changedMeanings(factsOf(path, before.id), factsOf(path, after.id)));
    else for (const way of withFolders(path)) presence.add(way);
  }
  return { presence, content };
}

function changedMeanings(before: Facts | undefined, after: Facts | undefined): ReadonlySet<string> {
  if (!before && !after) return new Set();
  const isWhole = before?.syntaxError === null && after?.syntaxError === null;
  return isWhole && leadsTo(before) === leadsTo(after) ? changedNames(before, after) : everything;
}

/** What a file draws in, whoever asks for which name. */
function leadsTo({ imports, augments }: Facts): string {
  return JSON.stringify([[...new Set(imports.map(({ from }) => from))], augments]);
}

function* withFolders(path: string): Iterable<string> {
  yield path;
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
    yield path.slice(0, slash + 1);
}

/** Would linking the file in the other tree come to the same? */
export function stillHolds(path: string, link: LinkedFile, { presence, content }: TreeDifference): boolean {
  if (presence.has(path) || content.has(path)) return false;
  const { asked } = dependenceOf(link);
  for (const file of touchedPaths(link)) {
    if (presence.has(file)) return false;
    const names = content.get(file);
    if (names === undefined) continue;
    if (names === everything) return false;
    for (const name of asked(file) ?? [])
      if (names.has(name) || (names.size > 0 && (name === '**' || names.has('*')))) return false;
    // The same meaning, but on other lines.
    if (link.shows.includes(file)) return false;
  }
  return true;
}
