import type { Facts } from '#code/facts/facts.ts';
import type { Dialect } from '#code/languages/dialect.ts';
import { dialects, packageOf } from '#code/languages/index.ts';
import type { GitTree, TreeEntry } from '#git/trees/tree.ts';
import { changedNames } from './interface-keys.ts';
import { dependenceOf, type LinkedFile, touchedPaths } from './linked-file.ts';

/** A path at which two trees differ, with the entries of both. */
export interface PathDifference {
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** The differences between two trees that matter for links. */
export interface TreeDifference {
  /** Paths, and the folders above them, where something appeared, disappeared or changed its kind. */
  readonly presence: ReadonlySet<string>;
  /** Files with changed content: the names whose meaning changed. */
  readonly content: ReadonlyMap<string, ReadonlySet<string>>;
}

const everything: ReadonlySet<string> = new Set(['*', '**']);

/** The content of documents decides where imports lead; package markers decide by their existence. */
const steering = either(({ imports }) => imports.steering);
const markers = either(({ imports }) => imports.markers);

function either(rule: (dialect: Dialect) => RegExp | null): RegExp {
  const sources = new Set(dialects.flatMap((dialect) => rule(dialect)?.source ?? []));
  return new RegExp(sources.size === 0 ? '(?!)' : [...sources].join('|'));
}

/** null: too different to reuse any link. */
export function treeDifference(
  differences: readonly PathDifference[],
  factsOf: (path: string, blob: string) => Facts | undefined,
): TreeDifference | null {
  const presence = new Set<string>();
  const content = new Map<string, ReadonlySet<string>>();
  for (const { path, before, after } of differences) {
    const isContent = before?.kind === 'file' && after?.kind === 'file';
    if (steering.test(path) || (!isContent && markers.test(path))) return null;
    if (isContent) {
      const names = changedMeanings(factsOf(path, before.id), factsOf(path, after.id));
      content.set(path, names);
      const folder = packageOf(path);
      const known = folder === null ? undefined : content.get(folder);
      if (folder !== null) content.set(folder, known ? joined(known, names) : names);
    } else for (const way of withFolders(path)) presence.add(way);
  }
  return { presence, content };
}

function joined(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return one === everything || other === everything ? everything : one.union(other);
}

function changedMeanings(before: Facts | undefined, after: Facts | undefined): ReadonlySet<string> {
  if (!before && !after) return new Set();
  const isWhole = before?.syntaxError === null && after?.syntaxError === null;
  return isWhole && leadsTo(before) === leadsTo(after) ? changedNames(before, after) : everything;
}

/** The modules a file imports, whichever names are used. */
function leadsTo({ imports, augments }: Facts): string {
  return JSON.stringify([[...new Set(imports.map(({ from }) => from))], augments]);
}

/** The paths at which two trees with one listing differ, as `Probes` records them. */
export function differingPaths(one: GitTree, other: GitTree): Set<string> {
  const differing = new Set<string>();
  for (const path of new Set([...one.differences.keys(), ...other.differences.keys()])) {
    const [before, after] = [one.entry(path), other.entry(path)];
    if (before?.id === after?.id && before?.kind === after?.kind) continue;
    const isContent = before?.kind === 'file' && after?.kind === 'file';
    for (const way of isContent ? [path] : withFolders(path)) differing.add(way);
  }
  return differing;
}

function* withFolders(path: string): Iterable<string> {
  yield path;
  const files = path.slice(0, path.lastIndexOf('/') + 1);
  yield `${files}*`;
  const folder = packageOf(path);
  if (folder !== null) yield folder;
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
    yield path.slice(0, slash + 1);
}

/** Whether linking the file in the other tree would give the same result. */
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
    // The same meaning, but the lines have moved.
    if (link.shows.includes(file)) return false;
  }
  return true;
}
