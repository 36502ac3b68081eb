/** Whether the problem exists in the union of these members. */
export type Holds<Member> = (members: readonly Member[]) => Promise<boolean>;

interface Search {
  /**
   * How many members of the order are tested first. 1 suits an order that guesses well: it doubles from there. All of them suit an
   * arbitrary order: each question then halves the rest.
   */
  readonly first?: number;
}

/**
 * A smallest guilty set: the problem exists for it, but not without any one of its members. `order` has the likeliest members first; with
 * the right guess a pair takes three questions, else about log N for each guilty member. null when the problem does not exist even for all
 * of them.
 */
export async function smallestSet<Member>(
  order: readonly Member[],
  holds: Holds<Member>,
  { first = 1 }: Search = {},
): Promise<Member[] | null> {
  const guilty: Member[] = [];
  let candidates = [...order];
  while (guilty.length === 0 || !(await holds(guilty))) {
    const enough = await shortestPrefix(candidates, first, (prefix) => holds([...prefix, ...guilty]));
    const last = enough === null ? undefined : candidates[enough - 1];
    if (enough === null || last === undefined) return null;
    guilty.push(last);
    candidates = candidates.slice(0, enough - 1);
  }
  return withoutSpare(guilty, holds);
}

/** Length of the shortest prefix that suffices, by doubling and then halving. */
async function shortestPrefix<Member>(
  members: readonly Member[],
  first: number,
  suffices: Holds<Member>,
): Promise<number | null> {
  let low = 0;
  let high = Math.min(first, members.length);
  while (high === 0 || !(await suffices(members.slice(0, high)))) {
    if (high >= members.length) return null;
    low = high;
    high = Math.min(high * 2, members.length);
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await suffices(members.slice(0, middle))) high = middle;
    else low = middle;
  }
  return high;
}

/** A third branch can hide a problem, so the search alone proves nothing: every member is left out once. */
async function withoutSpare<Member>(guilty: readonly Member[], holds: Holds<Member>): Promise<Member[]> {
  for (const spare of guilty) {
    const rest = guilty.filter((member) => member !== spare);
    if (rest.length > 0 && (await holds(rest))) return withoutSpare(rest, holds);
  }
  return [...guilty];
}
