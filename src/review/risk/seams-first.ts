import type { SeamRisk } from '#schema/check-report.ts';

/**
 * Reading order: files where the branch meets another one, or that many depend on, come first. Within both groups the
 * order stays.
 */
export function seamsFirst(order: readonly string[], risk: SeamRisk, ref: string): string[] {
  const symbols = [
    ...risk.boundaries.flatMap(({ defines, consumes, symbols }) =>
      defines === ref || consumes === ref ? symbols : [],
    ),
    ...risk.highImpact.flatMap(({ symbol, changedBy }) =>
      changedBy.includes(ref) && changedBy.length > 1 ? [symbol] : [],
    ),
  ];
  const met = new Set(symbols.map((symbol) => symbol.slice(0, symbol.lastIndexOf('#'))));
  return [...order.filter((path) => met.has(path)), ...order.filter((path) => !met.has(path))];
}
