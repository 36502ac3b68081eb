import type { SymbolGraph } from './symbol-graph.ts';

/** A branch, with the symbols it adds, changes or removes. */
export interface ChangingBranch {
  readonly ref: string;
  readonly symbols: ReadonlySet<string>;
}

/** What the code of one branch uses of the changes of another. */
export function usesBetween(
  user: ChangingBranch,
  provider: ChangingBranch,
  { edges }: SymbolGraph,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const symbol of user.symbols)
    for (const [target, count] of edges.get(symbol) ?? [])
      if (provider.symbols.has(target) && !user.symbols.has(target))
        found.set(target, (found.get(target) ?? 0) + count);
  return found;
}
