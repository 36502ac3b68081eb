import type { LiveBranch } from '#check/branches/branches.ts';
import type { Member } from '#check/members/member.ts';
import type { FullUnion, PairMerge } from '#check/unions/unions.ts';

/** The branches of a check, merged with base, and how they merge with each other. */
export interface Meeting {
  readonly live: readonly LiveBranch[];
  /** By the index of the live branch. */
  readonly sides: readonly Member[];
  readonly pairs: readonly PairMerge[];
  readonly full: FullUnion;
}

/** Members of further unions: a branch left out of the full one is still merged with those that its text allows. */
export function unionsOfLeftOut({ live, pairs, full }: Meeting): number[][] {
  const clashing = new Set(
    pairs.filter(({ text }) => text !== 'clean').flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]),
  );
  const covered = new Set(full.members);
  const unions: number[][] = [];
  for (const index of live.keys()) {
    if (covered.has(index)) continue;
    const members = [index];
    for (const other of live.keys())
      if (other !== index && members.every((member) => !clashing.has(`${member} ${other}`)))
        members.push(other);
    for (const member of members) covered.add(member);
    if (members.length > 1) unions.push(members.sort((a, b) => a - b));
  }
  return unions;
}

/**
 * How many times the whole project is checked: the full union, base and some members for the files with errors, which take no more than a
 * second run, and each union of branches that were left out.
 */
export function wholeRuns(meeting: Meeting): number {
  return 2 + unionsOfLeftOut(meeting).length;
}
