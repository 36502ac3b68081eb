import type { Member } from '#check/members/member.ts';
import type { SeamProblem } from '#check/members/union-problems.ts';
import type { DiagnosedProblem, Diagnosis } from '#check/rules/diagnosis.ts';
import type { Merge } from '#git/unions.ts';
import { symbolId } from '#schema/identity.ts';
import type { ConflictSite } from './conflict-sites.ts';
import { textProblem } from './text-problem.ts';

const shared = { confidence: 'proven', fix: null, provider: null } as const;

/** T01: one finding per pair, with the lines of both sides as sites. The smaller branch is the one to rebase. */
export function diagnoseConflict(
  a: Member,
  b: Member,
  merge: Extract<Merge, { status: 'conflict' }>,
  sites: readonly ConflictSite[],
): DiagnosedProblem {
  const [consumer, provider] =
    a.isBase || (!b.isBase && a.changes.length >= b.changes.length) ? [b, a] : [a, b];
  const { paths } = merge;
  return {
    ...conflictProblem(paths, merge.messages.join('\n') || 'conflicting changes', sites),
    consumer,
    provider,
    diagnosis: {
      ...shared,
      rule: 'T01',
      providerKey: symbolId(paths[0] ?? '', ''),
      sitesAreOfBranch: true,
      message: `${a.ref} and ${b.ref} change the same lines of ${paths.length === 1 ? paths[0] : `${paths.length} files`}`,
      suggestion: `rebase ${consumer.ref} on ${provider.ref} and resolve by hand`,
      mechanical: { consumer: false, provider: false },
      owner: {
        ref: consumer.ref,
        reason: `it is the smaller change: ${consumer.changes.length} against ${provider.changes.length} files`,
      },
    },
  };
}

/** T01 of more than two: each pair merges as text, but this branch does not merge with the others together. */
export function diagnoseLateConflict(
  late: Member,
  other: Member,
  merge: Extract<Merge, { status: 'conflict' }>,
  sites: readonly ConflictSite[],
): DiagnosedProblem {
  const paths = merge.paths.length > 0 ? merge.paths : late.changes.slice(0, 1).map(({ path }) => path);
  const reason = merge.messages[0] ?? 'conflicting changes';
  return {
    ...conflictProblem(paths, merge.messages.join('\n') || reason, sites),
    consumer: late,
    provider: other,
    diagnosis: {
      ...shared,
      rule: 'T01',
      providerKey: symbolId(paths[0] ?? '', ''),
      sitesAreOfBranch: true,
      message: `${late.ref} does not merge with the other branches together, though it does with each: ${reason}`,
      suggestion: `rebase ${late.ref} once the others have landed`,
      mechanical: { consumer: false, provider: false },
      owner: { ref: late.ref, reason: 'the others merge without it' },
    },
  };
}

function conflictProblem(
  paths: readonly string[],
  statement: string,
  sites: readonly ConflictSite[],
): Pick<DiagnosedProblem, 'problem' | 'siteSides'> {
  const problem = textProblem(paths, statement);
  if (sites.length === 0) return { problem };
  return {
    problem: { ...problem, sites: sites.map(({ place }) => place) },
    siteSides: sites.map(({ side }) => side),
  };
}

/** T07 */
export function diagnoseCollision(
  a: Member,
  b: Member,
  { ofA, ofB }: { ofA: string; ofB: string },
): DiagnosedProblem {
  const paths = [ofA, ofB].sort();
  const statement = `${ofA} and ${ofB} are one path where file names ignore case or Unicode form`;
  return {
    problem: textProblem(paths, statement),
    consumer: b,
    provider: a,
    diagnosis: {
      ...shared,
      rule: 'T07',
      providerKey: symbolId(paths[0] ?? '', ''),
      message: `${a.ref} adds ${ofA}, ${b.ref} adds ${ofB}: one path on file systems that ignore case, as on macOS and Windows`,
      suggestion: 'rename one of them',
      mechanical: { consumer: true, provider: true },
    },
  };
}

/** Rules about the merged text of one file rather than about symbols; null for other problems. */
export function diagnoseText({ problem, consumer, provider }: SeamProblem): Diagnosis | null {
  const mechanical = { consumer: true, provider: true };
  switch (problem.kind) {
    case 'syntax':
      return {
        ...shared,
        rule: 'T03',
        providerKey: symbolId(problem.file, ''),
        message: `${problem.file} parses on ${consumer.ref} and on ${provider.ref}, but not when both are merged: ${problem.statement}`,
        suggestion: `rebase one branch on the other and repair ${problem.file}`,
        mechanical,
      };
    case 'duplicate-key':
      return {
        ...shared,
        rule: 'T06',
        providerKey: problem.provider,
        message: `${consumer.ref} and ${provider.ref} each add the key ${JSON.stringify(problem.provider.slice(problem.file.length + 1))} to ${problem.file}; one of the two entries is silently lost`,
        suggestion: 'keep one of the two entries',
        mechanical,
      };
    default:
      return null;
  }
}
