import type { Member, ReadMember } from '#check/members/member.ts';
import type { FactsReader } from '#code/facts/facts-reader.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { Problem } from '#code/link/problem.ts';
import { textProblem } from './text-problem.ts';

/** T03: files that both members changed, that parse on each and do not in the union. */
export async function brokenMerges(
  a: ReadMember,
  b: ReadMember,
  union: CodeTree,
  conflicted: ReadonlySet<string>,
  reader: FactsReader,
): Promise<Problem[]> {
  const shared = [...a.changed.keys()].filter((path) => b.changed.has(path) && !conflicted.has(path));
  const files = shared.flatMap((path) => {
    const blob = union.git.blob(path);
    return blob === undefined ? [] : [{ path, blob }];
  });
  await reader.load(files);
  return files.flatMap(({ path, blob }) => {
    const error = reader.facts(path, blob)?.syntaxError;
    if (!error || !a.tree.facts(path) || !b.tree.facts(path)) return [];
    return [textProblem([path], error.message, error)];
  });
}

/** T07: paths that two members add and that file systems without case or normal form take for one. */
export function pathCollisions(a: Member, b: Member): { readonly ofA: string; readonly ofB: string }[] {
  const folded = new Map(addedPaths(a).map((path) => [foldPath(path), path]));
  return addedPaths(b).flatMap((path) => {
    const other = folded.get(foldPath(path));
    return other === undefined || other === path ? [] : [{ ofA: other, ofB: path }];
  });
}

function addedPaths(side: Member): string[] {
  return side.changes.flatMap(({ status, path }) =>
    status === 'added' || status === 'renamed' ? [path] : [],
  );
}

/** What file systems that ignore case and Unicode form make of a path. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
