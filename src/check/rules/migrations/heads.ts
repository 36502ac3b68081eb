/** A migration and those it follows. */
export interface Revision {
  readonly id: string;
  readonly parents: readonly string[];
}

/** The last migrations from `start` on, which no other one follows: a tool wants a single one. `['merge']` for a merge of two that follow `start`. */
export function headsFrom(revisions: readonly Revision[], start: string): string[] {
  const following = new Map<string, string[]>();
  for (const { id, parents } of revisions)
    for (const parent of parents) following.set(parent, [...(following.get(parent) ?? []), id]);
  const seen = new Set([start]);
  for (const id of seen) for (const next of following.get(id) ?? []) seen.add(next);
  return [...seen].filter((id) => !following.has(id));
}

/** All migrations that no other one follows. */
export function headsOf(revisions: readonly Revision[]): string[] {
  const followed = new Set(revisions.flatMap(({ parents }) => parents));
  return revisions.map(({ id }) => id).filter((id) => !followed.has(id));
}
