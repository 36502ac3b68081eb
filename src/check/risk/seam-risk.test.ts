import { expect, test } from 'vitest';
import { clusterFiles } from './clusters.ts';
import { impactOf } from './impact.ts';
import { mergeOrder } from './merge-order.ts';
import { seamRisk, weighGraph } from './seam-risk.ts';
import type { SymbolGraph } from './symbol-graph.ts';
import type { ChangingBranch } from './uses-between.ts';

/** `[['a.ts#x', 'b.ts#y']]`: x uses y. */
function graphOf(uses: readonly (readonly [string, string])[]): SymbolGraph {
  const edges = new Map<string, Map<string, number>>();
  for (const [from, to] of uses) {
    const known = edges.get(from) ?? new Map<string, number>();
    known.set(to, (known.get(to) ?? 0) + 1);
    edges.set(from, known);
  }
  const symbols = new Set(uses.flat());
  return { symbols, edges, files: 0, uses: uses.length, isCut: false };
}

const riskOf = (branches: readonly ChangingBranch[], graph: SymbolGraph) =>
  seamRisk(weighGraph(branches, graph));

const leaf = Array.from({ length: 12 }, (_, n) => [`user/u${n}.ts#f`, 'core/leaf.ts#leaf'] as const);

test('the blast radius counts dependents: a leaf used by twelve has twelve, a function that only calls has none', () => {
  const graph = graphOf([...leaf, ['app/main.ts#main', 'user/u0.ts#f']]);
  const impact = impactOf(graph, clusterFiles(graph));
  expect(impact.dependents('core/leaf.ts#leaf').size).toBe(13);
  expect(impact.dependents('app/main.ts#main').size).toBe(0);
  expect(impact.consumers('user/u0.ts#f')).toEqual(['app/main.ts#main']);
});

test('from ten dependents on a change has high impact, with nine it does not', () => {
  const changed = [{ ref: 'a', symbols: new Set(['core/leaf.ts#leaf']) }];
  expect(
    riskOf(changed, graphOf(leaf.slice(0, 10))).highImpact.map(({ blastRadius }) => blastRadius),
  ).toEqual([10]);
  expect(riskOf(changed, graphOf(leaf.slice(0, 9))).highImpact).toEqual([]);
});

test('an overlap is medium with more than five uses between the branches, low with five', () => {
  const between = (count: number) => {
    const uses = Array.from({ length: count }, () => ['m/a.ts#a', 'm/b.ts#b'] as const);
    const branches = [
      { ref: 'one', symbols: new Set(['m/a.ts#a']) },
      { ref: 'two', symbols: new Set(['m/b.ts#b']) },
    ];
    return riskOf(branches, graphOf(uses));
  };
  expect(between(6).overlaps).toEqual([
    {
      cluster: 'm',
      branches: ['one', 'two'],
      sharedSymbols: ['m/b.ts#b'],
      coordinationEdges: 6,
      risk: 'medium',
    },
  ]);
  expect(between(5).overlaps[0]?.risk).toBe('low');
  expect(between(1).boundaries).toEqual([{ defines: 'two', consumes: 'one', symbols: ['m/b.ts#b'] }]);
  expect(between(1).order).toEqual(['two', 'one']);
});

test('clusters do not depend on the order in which uses were read', () => {
  const uses = [
    ...leaf,
    ...Array.from({ length: 8 }, (_, n) => [`ui/p${n}.ts#p`, `ui/p${(n + 1) % 8}.ts#p`] as const),
    ['ui/p0.ts#p', 'user/u0.ts#f'] as const,
  ];
  const forth = clusterFiles(graphOf(uses));
  const back = clusterFiles(graphOf(uses.toReversed()));
  expect([...back].sort()).toEqual([...forth].sort());
  expect(new Set(forth.values()).size).toBeGreaterThan(1);
});

test('branches that wait for each other still get an order: the lighter wait is broken', () => {
  const boundaries = [
    { defines: 'a', consumes: 'b', symbols: ['1', '2', '3'] },
    { defines: 'b', consumes: 'a', symbols: ['4'] },
    { defines: 'b', consumes: 'c', symbols: ['5'] },
  ];
  expect(mergeOrder(['c', 'b', 'a'], boundaries)).toEqual(['a', 'b', 'c']);
});

test('branches that use nothing of each other have no risk', () => {
  const symbols = new Set(['c.py#c', 'd.py#d']);
  const graph = { files: 2, symbols, edges: new Map(), uses: 0, isCut: false };
  const branches = [...symbols].map((symbol) => ({ ref: symbol.slice(0, 1), symbols: new Set([symbol]) }));
  expect(riskOf(branches, graph)).toMatchObject({
    overlaps: [],
    boundaries: [],
    highImpact: [],
    order: ['c', 'd'],
  });
});
