import type { CodeTree } from '../../../code/code-tree.ts';
import type { FactsReader } from '../../../code/facts-reader.ts';
import type { Problem } from '../../../code/problem.ts';
import { symbolId } from '../../../model/identity.ts';
import type { Side } from '../../side.ts';

/** T03: files that both members changed, that parse on each and do not in the union. */
export async function brokenMerges(
  a: Side,
  b: Side,
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
    return [textProblem('syntax', path, { line: error.line, column: error.column, message: error.message })];
  });
}

function textProblem(
  kind: 'syntax',
  path: string,
  at: { line: number; column: number; message: string },
): Problem {
  return {
    kind,
    key: JSON.stringify([kind, path]),
    consumer: symbolId(path, ''),
    provider: symbolId(path, ''),
    file: path,
    sites: [{ file: path, line: at.line, column: at.column, endLine: at.line, symbol: symbolId(path, '') }],
    definedAt: [],
    proven: true,
    tier: 'R0',
    statement: at.message,
    mismatch: null,
    tried: [],
  };
}

/** T07: paths that two members add and that file systems without case or normal form take for one. */
export function pathCollisions(a: Side, b: Side): { readonly ofA: string; readonly ofB: string }[] {
  const folded = new Map(addedPaths(a).map((path) => [fold(path), path]));
  return addedPaths(b).flatMap((path) => {
    const other = folded.get(fold(path));
    return other === undefined || other === path ? [] : [{ ofA: other, ofB: path }];
  });
}

function addedPaths(side: Side): string[] {
  return side.changes.flatMap(({ status, path }) =>
    status === 'added' || status === 'renamed' ? [path] : [],
  );
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
