import type { CodeTree, LinkedTree } from '../code/code-tree.ts';
import type { Facts } from '../code/facts.ts';
import type { FactsReader } from '../code/facts-reader.ts';
import { type ImportEdge, importKey } from '../code/import-edges.ts';
import { changedNames } from '../code/interface-keys.ts';
import type { Problem } from '../code/problem.ts';
import { isResolutionDocument } from '../code/resolve/documents.ts';
import { type ChangedFile, type SymbolDelta, symbolDelta } from '../code/symbol-delta.ts';
import type { Trace } from '../code/trace.ts';
import type { Change } from '../git/tree.ts';
import { barrelKeys } from './barrels.ts';

/** One member of a union, as far as it takes to tell whom it can meet. */
export interface Outline {
  readonly ref: string;
  readonly commit: string;
  /** Base's own changes can be guilty, but base does not move. */
  readonly isBase: boolean;
  readonly tree: LinkedTree;
  /** What it changed relative to what it shares with the other members. */
  readonly changes: readonly Change[];
  /** Files it has changed that still exist, by the path in its tree. */
  readonly changed: ReadonlyMap<string, Change>;
  /** Old path → new path. */
  readonly renames: ReadonlyMap<string, string>;
  /** Per file the names whose meaning it changed; `''` is the file's existence, `*` everything in it. */
  readonly touched: ReadonlyMap<string, ReadonlySet<string>>;
  readonly changesResolution: boolean;
  /** Files above what it adds that may pass it on: see `barrelKeys`. */
  readonly barrels: ReadonlySet<string>;
  /** Imports that the version before does not have. */
  readonly newImports: readonly ImportEdge[];
  readonly links: LinkSummary;
  /** Reads its changes, and links some of its files, for those who look closer. */
  read(paths: Iterable<string>): Promise<Side>;
}

/** A member whose changed files were read. */
export interface Side extends Outline {
  readonly tree: CodeTree;
  readonly delta: SymbolDelta;
  factsBefore(path: string): Facts | undefined;
}

/** What the links of all its changed files come to. */
interface LinkSummary {
  readonly files: number;
  readonly references: number;
  readonly resolved: number;
  /** Every path that one of them depends on. */
  readonly leadsTo: readonly string[];
  /** Imports that certainly lead to nothing. */
  readonly missingImports: readonly Problem[];
}

function summarise(tree: LinkedTree, paths: readonly string[]): LinkSummary {
  const linked = paths.flatMap((path) => tree.linked(path) ?? []);
  return {
    files: linked.length,
    references: linked.reduce((sum, file) => sum + file.references, 0),
    resolved: linked.reduce((sum, file) => sum + file.resolved, 0),
    leadsTo: [...new Set(linked.flatMap(({ trace }) => [...trace.names.keys()]))],
    missingImports: linked.flatMap(({ problems }) =>
      problems.filter(
        ({ kind, proven }) => (kind === 'module-missing' || kind === 'export-missing') && proven,
      ),
    ),
  };
}

/** What is kept of an outline between checks; the rest follows from git and from links. */
export interface PackedOutline {
  readonly links: LinkSummary;
  readonly touched: readonly (readonly [string, readonly string[]])[];
  readonly barrels: readonly string[];
  readonly newImports: readonly ImportEdge[];
}

export function packOutline({ touched, barrels, newImports, links }: Outline): PackedOutline {
  return {
    links,
    touched: [...touched].map(([path, names]) => [path, [...names]] as const),
    barrels: [...barrels],
    newImports,
  };
}

/** Makes sure that the links of all its changed files are at hand. */
export async function linkChanges({ tree, changed }: Outline): Promise<void> {
  await tree.link(changed.keys());
}

type Member = Pick<Outline, 'ref' | 'commit' | 'isBase'>;

interface Remembered {
  /** What an earlier check found out about the same changes. */
  readonly known: PackedOutline | undefined;
  /** What it found out before the last commits: still true of files that are the same. */
  readonly before: (PackedOutline & { isSame(path: string): boolean }) | undefined;
}

export async function outlineSide(
  member: Member,
  trees: { readonly linked: LinkedTree; readonly code: CodeTree },
  changes: readonly Change[],
  reader: FactsReader,
  { known, before: earlier }: Remembered,
): Promise<Outline> {
  const inGit = inGitAlone(member, changes);
  let reading: ReturnType<typeof readChanges> | null = null;
  const changed = () => {
    reading ??= readChanges(changes, reader);
    return reading;
  };
  const finish = (packed: Pick<Outline, 'touched' | 'barrels' | 'newImports' | 'links'>): Outline => {
    const read = async (paths: Iterable<string>): Promise<Side> => {
      await trees.code.link(paths);
      const { delta, factsBefore } = await changed();
      return { ...inGit, ...packed, tree: trees.code, delta, factsBefore, read };
    };
    return { ...inGit, ...packed, tree: trees.linked, read };
  };
  if (known)
    return finish({
      touched: new Map(known.touched.map(([path, names]) => [path, new Set(names)])),
      barrels: new Set(known.barrels),
      newImports: known.newImports,
      links: known.links,
    });
  const paths = changes.flatMap(({ path, after }) => (after?.kind === 'file' ? [path] : []));
  await trees.linked.link(paths);
  const { files, before, delta } = await changed();
  // Linking nothing still makes the tree ready to resolve imports.
  await trees.code.link([]);
  return finish({
    touched: touchedNames(changes, files, earlier),
    barrels: barrelKeys(delta, trees.code),
    newImports: newImports(changes, trees.code, before, earlier),
    links: summarise(trees.linked, paths),
  });
}

function inGitAlone(member: Member, changes: readonly Change[]) {
  return {
    ...member,
    changes,
    changed: new Map(changes.filter(({ after }) => after !== null).map((change) => [change.path, change])),
    renames: new Map(
      changes.flatMap(({ oldPath, path }) => (oldPath === null ? [] : [[oldPath, path] as const])),
    ),
    changesResolution: changes.some(
      ({ path, oldPath }) =>
        isResolutionDocument(path) || (oldPath !== null && isResolutionDocument(oldPath)),
    ),
  };
}

/** What the changed files say, before and after. */
async function readChanges(changes: readonly Change[], reader: FactsReader) {
  await reader.load(changes.flatMap((change) => versions(change)));
  const files = changes.map((change) => changedFile(change, reader));
  const before = new Map(files.map((file) => [file.oldPath ?? file.path, file.before]));
  const delta = symbolDelta(files);
  return { files, before, delta, factsBefore: (path: string) => before.get(path) };
}

function newImports(
  changes: readonly Change[],
  tree: CodeTree,
  before: ReadonlyMap<string, Facts | undefined>,
  known: Remembered['before'],
): ImportEdge[] {
  const edges = Map.groupBy(known?.newImports ?? [], ({ from }) => from);
  const isTouched = new Set(known?.touched.map(([path]) => path));
  return changes.flatMap(({ path, oldPath, status, after }) => {
    if (status === 'modified' && isTouched.has(path) && known?.isSame(path)) return edges.get(path) ?? [];
    const earlier = before.get(oldPath ?? path);
    const old = new Set(earlier?.imports.map(importKey));
    for (const entry of earlier?.exports ?? []) old.add(`${entry.from} ${entry.imported}`);
    return after === null ? [] : tree.importEdges(path).filter(({ key }) => !old.has(key));
  });
}

function versions({ path, oldPath, before, after }: Change): { path: string; blob: string }[] {
  return [
    ...(before?.kind === 'file' ? [{ path: oldPath ?? path, blob: before.id }] : []),
    ...(after?.kind === 'file' ? [{ path, blob: after.id }] : []),
  ];
}

function changedFile({ path, oldPath, before, after }: Change, reader: FactsReader): ChangedFile {
  return {
    path,
    oldPath,
    before: before?.kind === 'file' ? reader.facts(oldPath ?? path, before.id) : undefined,
    after: after?.kind === 'file' ? reader.facts(path, after.id) : undefined,
  };
}

function touchedNames(
  changes: readonly Change[],
  files: readonly ChangedFile[],
  known: Remembered['before'],
): Map<string, Set<string>> {
  const earlier = new Map(known?.touched);
  const touched = new Map<string, Set<string>>();
  const add = (path: string, names: Iterable<string>) =>
    touched.set(path, new Set([...(touched.get(path) ?? []), ...names]));
  changes.forEach((change, index) => {
    const file = files[index];
    const same = known?.isSame(change.path) ? earlier.get(change.path) : undefined;
    if (change.status === 'modified') add(change.path, same ?? changedNames(file?.before, file?.after));
    else {
      add(change.path, ['', '*', ...changedNames(undefined, file?.after)]);
      if (change.oldPath !== null) add(change.oldPath, ['', '*', ...changedNames(file?.before, undefined)]);
    }
  });
  return touched;
}

/** Does an answer that followed this trace depend on something the side changed? */
export function dependsOn(trace: Trace, side: Outline): boolean {
  if (side.changesResolution) return true;
  const [small, large] =
    trace.names.size < side.touched.size ? [trace.names, side.touched] : [side.touched, trace.names];
  for (const path of small.keys()) {
    const asked = large.has(path) ? trace.names.get(path) : undefined;
    const touched = asked && side.touched.get(path);
    if (!asked || !touched) continue;
    if (touched.has('*') || (asked.has('**') && touched.size > 0)) return true;
    for (const name of asked) if (touched.has(name)) return true;
  }
  return false;
}
