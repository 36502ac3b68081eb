import { type Holds, smallestSet } from '#check/typecheck/diagnostics/smallest-set.ts';

export interface Culprits<Member> {
  /** Guilty sets, smallest first. No member of a set can be left out. */
  readonly sets: readonly (readonly Member[])[];
  /** Number of questions for the first set, and for all sets. */
  readonly checks: { readonly first: number; readonly all: number };
}

/**
 * The smallest sets of members with which a failure exists. The failure is known to exist with all members and not with none of them. Each
 * set is found by halving; then each of its members is left out in turn, to see whether the failure also has another cause. At most `most`
 * sets are searched.
 */
export async function findCulprits<Member>(
  members: readonly Member[],
  holds: Holds<Member>,
  most = 3,
): Promise<Culprits<Member>> {
  const asked = new Questions(members, holds);
  const sets: Member[][] = [];
  const open: Member[][] = [[]];
  const seen = new Set<string>();
  let first = 0;
  for (let without = open.shift(); without; without = open.shift()) {
    const left = members.filter((member) => !without?.includes(member));
    const known = sets.find((set) => set.every((member) => left.includes(member)));
    if (!known && (sets.length >= most || !(await asked.holds(left)))) continue;
    const set = known ?? (await smallestSet(left, asked.holds, { first: left.length }));
    if (!set) continue;
    if (!known) sets.push(set);
    if (sets.length === 1 && !known) first = asked.count;
    for (const member of set) {
      const next = [...without, member];
      const key = asked.keyOf(next);
      if (!seen.has(key)) open.push(next);
      seen.add(key);
    }
  }
  return { sets: sets.sort((a, b) => a.length - b.length), checks: { first, all: asked.count } };
}

/** Every set is tested once. */
class Questions<Member> {
  readonly #members: readonly Member[];
  readonly #answers = new Map<string, Promise<boolean>>();
  count = 0;
  readonly holds: Holds<Member>;

  constructor(members: readonly Member[], holds: Holds<Member>) {
    this.#members = members;
    this.#answers.set(this.keyOf(members), Promise.resolve(true));
    this.#answers.set(this.keyOf([]), Promise.resolve(false));
    this.holds = (some) => {
      const key = this.keyOf(some);
      const known = this.#answers.get(key);
      if (known) return known;
      this.count++;
      const answer = holds(some);
      this.#answers.set(key, answer);
      return answer;
    };
  }

  keyOf(some: readonly Member[]): string {
    return this.#members.flatMap((member, index) => (some.includes(member) ? [index] : [])).join(' ');
  }
}
