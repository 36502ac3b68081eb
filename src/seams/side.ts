import type { CodeTree } from '../code/code-tree.ts';
import type { Facts } from '../code/facts.ts';
import type { FactsReader } from '../code/facts-reader.ts';
import { changedNames } from '../code/interface-keys.ts';
import { isResolutionDocument } from '../code/resolve/documents.ts';
import { type ChangedFile, type SymbolDelta, symbolDelta } from '../code/symbol-delta.ts';
import type { Trace } from '../code/trace.ts';
import type { Change } from '../git/tree.ts';

/** One member of a union: its tree, and what it changed relative to what it shares with the other members. */
export interface Side {
  readonly ref: string;
  readonly commit: string;
  /** Base's own changes can be guilty, but base does not move. */
  readonly isBase: boolean;
  readonly tree: CodeTree;
  readonly changes: readonly Change[];
  /** Files it has changed that still exist, by the path in its tree. */
  readonly changed: ReadonlyMap<string, Change>;
  /** Old path → new path. */
  readonly renames: ReadonlyMap<string, string>;
  /** Per file the names whose meaning it changed; `''` is the file's existence, `*` everything in it. */
  readonly touched: ReadonlyMap<string, ReadonlySet<string>>;
  readonly changesResolution: boolean;
  readonly delta: SymbolDelta;
  factsBefore(path: string): Facts | undefined;
}

export async function buildSide(
  member: { readonly ref: string; readonly commit: string; readonly isBase: boolean },
  tree: CodeTree,
  changes: readonly Change[],
  reader: FactsReader,
): Promise<Side> {
  await reader.load(changes.flatMap((change) => versions(change)));
  const files = changes.map((change) => changedFile(change, reader));
  const before = new Map(files.map((file) => [file.oldPath ?? file.path, file.before]));
  await tree.link(changes.flatMap(({ path, after }) => (after?.kind === 'file' ? [path] : [])));
  return {
    ...member,
    tree,
    changes,
    changed: new Map(changes.filter(({ after }) => after !== null).map((change) => [change.path, change])),
    renames: new Map(
      changes.flatMap(({ oldPath, path }) => (oldPath === null ? [] : [[oldPath, path] as const])),
    ),
    touched: touchedNames(changes, files),
    changesResolution: changes.some(
      ({ path, oldPath }) =>
        isResolutionDocument(path) || (oldPath !== null && isResolutionDocument(oldPath)),
    ),
    delta: symbolDelta(files),
    factsBefore: (path) => before.get(path),
  };
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

function touchedNames(changes: readonly Change[], files: readonly ChangedFile[]): Map<string, Set<string>> {
  const touched = new Map<string, Set<string>>();
  const add = (path: string, names: Iterable<string>) =>
    touched.set(path, new Set([...(touched.get(path) ?? []), ...names]));
  changes.forEach((change, index) => {
    const file = files[index];
    if (change.status === 'modified') add(change.path, changedNames(file?.before, file?.after));
    else {
      add(change.path, ['', '*', ...changedNames(undefined, file?.after)]);
      if (change.oldPath !== null) add(change.oldPath, ['', '*', ...changedNames(file?.before, undefined)]);
    }
  });
  return touched;
}

/** Does an answer that followed this trace depend on something the side changed? */
export function dependsOn(trace: Trace, side: Side): boolean {
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
