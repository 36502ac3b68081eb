/** All minimal sets of up to three members that have a problem, by brute force. */
export function minimalSets(
  members: readonly number[],
  holds: (some: readonly number[]) => boolean,
): number[][] {
  const minimal: number[][] = [];
  let level: number[][] = [[]];
  for (let size = 1; size <= 3; size++) {
    const next: number[][] = [];
    for (const set of level)
      for (const member of members) {
        if (member <= (set.at(-1) ?? -1)) continue;
        const larger = [...set, member];
        if (minimal.some((small) => small.every((each) => larger.includes(each)))) continue;
        if (holds(larger)) minimal.push(larger);
        else next.push(larger);
      }
    level = next;
  }
  return minimal;
}
