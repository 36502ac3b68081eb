import type { Problem, ProblemKind } from '../../../code/problem.ts';
import type { Merge } from '../../../git/unions.ts';
import { symbolId } from '../../../model/identity.ts';
import type { Diagnosis } from '../../diagnosis.ts';
import { assembleFindings } from '../../findings.ts';
import type { FoundIn } from '../../seams.ts';
import type { Side } from '../../side.ts';

/** T01: one finding per pair, with every conflicted path as a site. */
export function textConflictFinding(
  a: Side,
  b: Side,
  merge: Extract<Merge, { status: 'conflict' }>,
  base: string,
): FoundIn {
  const [consumer, provider] =
    a.isBase || (!b.isBase && a.changes.length >= b.changes.length) ? [b, a] : [a, b];
  const files = merge.paths.length;
  const problem = {
    ...textProblem('syntax', merge.paths, merge.messages.join('\n') || 'conflicting changes'),
    key: JSON.stringify(['conflict', ...merge.paths]),
  };
  return one(problem, consumer, provider, null, base, {
    rule: 'T01',
    providerKey: symbolId(merge.paths[0] ?? '', ''),
    message: `${a.ref} and ${b.ref} change the same lines of ${files === 1 ? merge.paths[0] : `${files} files`}`,
    suggestion: `rebase ${consumer.ref} on ${provider.ref} and resolve by hand`,
  });
}

/** T07 */
export function pathCollisionFinding(
  a: Side,
  b: Side,
  { ofA, ofB }: { ofA: string; ofB: string },
  tree: string,
  base: string,
): FoundIn {
  const statement = `${ofA} and ${ofB} are one path where file names ignore case or Unicode form`;
  return one(textProblem('syntax', [ofA, ofB].sort(), statement), b, a, tree, base, {
    rule: 'T07',
    providerKey: symbolId([ofA, ofB].sort()[0] ?? '', ''),
    message: `${a.ref} adds ${ofA} and ${b.ref} adds ${ofB}: ${statement.slice(statement.indexOf(' are ') + 5)}, as on macOS and Windows`,
    suggestion: 'rename one of them',
  });
}

function one(
  problem: Problem,
  consumer: Side,
  provider: Side,
  tree: string | null,
  base: string,
  diagnosis: Pick<Diagnosis, 'rule' | 'providerKey' | 'message' | 'suggestion'>,
): FoundIn {
  const mechanical = { consumer: false, provider: false };
  const full: Diagnosis = { ...diagnosis, confidence: 'proven', fix: null, mechanical, provider: null };
  const [assembled] = assembleFindings([{ problem, consumer, provider, diagnosis: full }], tree, base);
  if (!assembled) throw new Error('a problem gives a finding');
  return { assembled, union: null };
}

function textProblem(kind: ProblemKind, paths: readonly string[], statement: string): Problem {
  const file = paths[0] ?? '';
  return {
    kind,
    key: JSON.stringify([kind, ...paths]),
    consumer: symbolId(file, ''),
    provider: symbolId(file, ''),
    file,
    sites: paths.map((path) => ({ file: path, line: 1, column: 1, endLine: 1, symbol: symbolId(path, '') })),
    definedAt: [],
    proven: true,
    tier: 'R0',
    statement,
    mismatch: null,
    tried: [],
  };
}
