import type { Incident, Side } from './incident.ts';
import type { Store } from './store.ts';

/** Commits that `check` is asked about. */
export interface Pair {
  readonly base: string;
  readonly earlier: string;
  readonly later: string;
}

export interface Rebuilt {
  readonly pair: Pair;
  /** The same pair with the repair on one side: its union is right. */
  readonly twin: Pair;
}

/** Why a row is not what it says. */
export interface Refusal {
  readonly refused: string;
}

/** Builds the pair and its twin from the commits of a row, and refuses a row that is not true. */
export function rebuild(store: Store, row: Incident): Rebuilt | Refusal {
  for (const commit of [row.earlier, row.later, row.repair])
    if (!store.has(commit) || !store.has(`${commit}^1`))
      return { refused: `${commit} or its parent is missing` };
  const trees = pairTrees(store, row.earlier, row.later);
  if ('refused' in trees) return trees;
  const { base, union, ...sides } = trees;
  const untrue = patternFault(store, row, trees);
  if (untrue !== null) return { refused: untrue };

  const repair = (tree: string) =>
    store.merged(treeOf(store, `${row.repair}^1`), tree, treeOf(store, row.repair));
  const repaired = repair(union);
  if (repaired === null || repaired === union) return { refused: 'the repair does not apply to the union' };
  if (!isAbout(store, row, union, repaired))
    return { refused: 'the repair is about something else than the pattern' };
  const side = repair(sides[row.twin]);
  if (side === null || side === sides[row.twin])
    return { refused: `the repair does not apply to the ${row.twin} side` };
  const twin = { ...sides, [row.twin]: side };
  if (store.merged(base, twin.earlier, twin.later) !== repaired)
    return { refused: 'the union of the twin is not the repaired union' };
  return { pair: commitsOf(store, base, sides), twin: commitsOf(store, base, twin) };
}

/** The pair of two changes that stay as they are. */
export function rebuildClean(store: Store, earlier: string, later: string): Pair | Refusal {
  for (const commit of [earlier, later])
    if (!store.has(commit) || !store.has(`${commit}^1`))
      return { refused: `${commit} or its parent is missing` };
  const trees = pairTrees(store, earlier, later);
  return 'refused' in trees ? trees : commitsOf(store, trees.base, trees);
}

interface Trees extends Readonly<Record<Side, string>> {
  readonly base: string;
  readonly union: string;
}

function pairTrees(store: Store, first: string, second: string): Trees | Refusal {
  const base = treeOf(store, `${first}^1`);
  const earlier = treeOf(store, first);
  const later = store.merged(treeOf(store, `${second}^1`), base, treeOf(store, second));
  if (later === null) return { refused: 'the later change does not apply to base' };
  if (later === base || earlier === base) return { refused: 'a side changes nothing' };
  const union = store.merged(base, earlier, later);
  return union === null ? { refused: 'git does not merge the two' } : { base, earlier, later, union };
}

/** Each half stands on its own side and on the union, and neither on base nor on the other side. */
function patternFault(store: Store, row: Incident, trees: Trees): string | null {
  for (const { side, path, is, text } of row.pattern) {
    const other = side === 'earlier' ? 'later' : 'earlier';
    const stands = (tree: string) => textAt(store, tree, path).includes(text) === (is === 'added');
    const what = `"${text}" ${is} in ${path}`;
    if (!stands(trees[side])) return `${what} does not stand on the ${side} side`;
    if (!stands(trees.union)) return `${what} does not stand on the union`;
    if (stands(trees.base)) return `${what} stands on base already`;
    if (stands(trees[other])) return `${what} stands on the ${other} side, too`;
  }
  return null;
}

/** The repair changes a file of the pattern, or names what the two changes meet at (a revision that merges two heads). */
function isAbout(store: Store, row: Incident, union: string, repaired: string): boolean {
  const changed = store.git('diff-tree', '-r', '--name-only', '--no-renames', union, repaired).split('\n');
  if (row.pattern.some(({ path }) => changed.includes(path))) return true;
  return store.git('diff-tree', '-p', '--no-ext-diff', '--no-textconv', union, repaired).includes(row.name);
}

function commitsOf(store: Store, base: string, sides: Readonly<Record<Side, string>>): Pair {
  const root = store.commit(base);
  return { base: root, earlier: store.commit(sides.earlier, root), later: store.commit(sides.later, root) };
}

function treeOf(store: Store, commit: string): string {
  return store.git('rev-parse', `${commit}^{tree}`);
}

/** Empty for a file that is not there. */
function textAt(store: Store, tree: string, path: string): string {
  return store.git('ls-tree', tree, '--', path) === ''
    ? ''
    : store.git('cat-file', 'blob', `${tree}:${path}`);
}
