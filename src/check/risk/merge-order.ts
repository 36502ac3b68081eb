/** What one branch changes and another uses: `consumes` may have to follow. */
export interface Boundary {
  readonly defines: string;
  readonly consumes: string;
  readonly symbols: readonly string[];
}

/**
 * An order in which as few branches as possible land before one whose changes they use: next is always the branch that waits for the least;
 * on a tie, the one that most others wait for.
 */
export function mergeOrder(refs: readonly string[], boundaries: readonly Boundary[]): string[] {
  const open = new Set(refs);
  const order: string[] = [];
  const weight = (isWanted: (boundary: Boundary) => boolean) =>
    boundaries
      .filter(({ defines, consumes }) => open.has(defines) && open.has(consumes))
      .filter(isWanted)
      .reduce((sum, { symbols }) => sum + symbols.length, 0);
  while (open.size > 0) {
    const [next] = [...open]
      .map((ref) => ({
        ref,
        waits: weight(({ consumes }) => consumes === ref),
        awaited: weight(({ defines }) => defines === ref),
      }))
      .sort(
        (a, b) => a.waits - b.waits || b.awaited - a.awaited || refs.indexOf(a.ref) - refs.indexOf(b.ref),
      );
    if (!next) break;
    order.push(next.ref);
    open.delete(next.ref);
  }
  return order;
}
