import type { Member } from '#check/members/member.ts';
import { symbolId } from '#schema/identity.ts';
import type { Conflict, Found, Rule, TextPair } from './rule.ts';
import { conflictOwner, rebasing } from './text/conflict-owner.ts';
import type { ConflictSite } from './text/conflict-sites.ts';
import { textProblem } from './text/text-problem.ts';

export const textualConflict = {
  id: 'T01',
  name: 'textual-conflict',
  category: 'text',
  severity: 'blocking',
  languages: ['any'],
  precision: 0.76,
  measured: { findings: 16, real: 16 },
  what: 'Git itself cannot merge the branches: they change the same lines, or one edits what the other deletes. A person has to decide; problems that remain with any resolution are reported too.',
  example: { a: ['- timeout = 10', '+ timeout = 30'], b: ['- timeout = 10', '+ timeout = 60'] },
  move: 'Merge or rebase one branch onto the other and resolve the marked lines; then check again, because a resolved text can still hide a conflict of meaning.',
  proof: ['proven'],
  owner: 'stated',
  detect: {
    *text(pair) {
      const { a, b, conflict, sites } = pair;
      if (conflict) yield foundConflict(pair, a, b, conflict, sites);
    },
    lateConflict: foundLateConflict,
  },
} satisfies Rule;

/** One finding per pair, with the lines of both sides as sites. The smaller branch is the one to rebase. */
function foundConflict(
  pair: TextPair,
  a: Member,
  b: Member,
  { paths, messages }: Conflict,
  sites: readonly ConflictSite[],
): Found {
  const { consumer, provider } = rebasing(a, b);
  const owner = conflictOwner(pair);
  const named = paths.map(withoutCommit);
  return {
    ...conflictProblem(named, messages.join('\n') || 'conflicting changes', sites),
    consumer,
    provider,
    diagnosis: {
      providerKey: symbolId(named[0] ?? '', ''),
      confidence: 'proven',
      sitesAreOfBranch: true,
      message: `${a.ref} and ${b.ref} ${clash(named, messages)}`,
      suggestion: `rebase ${consumer.ref} on ${provider.ref} and resolve by hand`,
      ...(owner ? { owner } : {}),
      provider: null,
    },
  };
}

/** What the two branches do, by the kinds of conflict that git names: `CONFLICT (add/add): Merge conflict in a.txt`. */
function clash(paths: readonly string[], messages: readonly string[]): string {
  const [path = ''] = paths;
  const where = paths.length === 1 ? path : `${paths.length} files`;
  const [kind, ...others] = new Set(
    messages.flatMap((text) => /^CONFLICT \(([^)]*)\)/.exec(text)?.[1] ?? []),
  );
  if (others.length > 0) return `conflict in ${where}`;
  const isBinary = messages.some((text) => text.startsWith('warning: Cannot merge binary files:'));
  if (isBinary && paths.length === 1) return `change the binary file ${path}, which git cannot merge`;
  if (kind === 'content') return `change the same lines of ${where}`;
  if (kind === 'add/add') return `add ${where} with different content`;
  if (paths.length > 1) return `conflict in ${where}`;
  if (kind === 'submodule') return `point the submodule ${path} to different commits`;
  return kind === 'modify/delete'
    ? `conflict in ${path}: one deletes it, the other changes it`
    : `conflict in ${path}`;
}

/** Git writes a file that is in the way of a folder beside it: `docs~<commit>` for `docs`. */
function withoutCommit(path: string): string {
  return path.replace(/~[0-9a-f]{40,64}(?:_\d+)?$/, '');
}

/** Of more than two branches: each pair merges as text, but this branch does not merge with the others together. */
function foundLateConflict(
  late: Member,
  other: Member,
  merge: Conflict,
  sites: readonly ConflictSite[],
): Found {
  const paths = merge.paths.length > 0 ? merge.paths : late.changes.slice(0, 1).map(({ path }) => path);
  const reason = merge.messages[0] ?? 'conflicting changes';
  return {
    ...conflictProblem(paths, merge.messages.join('\n') || reason, sites),
    consumer: late,
    provider: other,
    diagnosis: {
      providerKey: symbolId(paths[0] ?? '', ''),
      confidence: 'proven',
      sitesAreOfBranch: true,
      message: `${late.ref} does not merge with the other branches together, though it does with each: ${reason}`,
      suggestion: `rebase ${late.ref} once the others have landed`,
      owner: { ref: late.ref, reason: 'the others merge without it' },
      provider: null,
    },
  };
}

function conflictProblem(
  paths: readonly string[],
  statement: string,
  sites: readonly ConflictSite[],
): Pick<Found, 'problem' | 'siteSides'> {
  const problem = textProblem('T01', paths, statement);
  if (sites.length === 0) return { problem };
  return {
    problem: { ...problem, sites: sites.map(({ place }) => place) },
    siteSides: sites.map(({ side }) => side),
  };
}
