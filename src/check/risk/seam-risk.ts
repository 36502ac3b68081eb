import type { SeamRisk } from '#schema/check-report.ts';
import { type Clusters, clusterFiles } from './clusters.ts';
import { type Impact, impactOf } from './impact.ts';
import { type Boundary, mergeOrder } from './merge-order.ts';
import { fileOf, type SymbolGraph } from './symbol-graph.ts';
import { type ChangingBranch, usesBetween } from './uses-between.ts';

/** From this many dependents on, a change has high impact. */
const wideReach = 10;
/** With more uses than this between two branches, their overlap is medium. */
const manyEdges = 5;
const mostListed = 20;

/** Branches on the graph of their union: who uses what, which files belong together, what a change reaches. */
export interface WeighedGraph {
  readonly branches: readonly ChangingBranch[];
  readonly graph: SymbolGraph;
  readonly clusters: Clusters;
  readonly impact: Impact;
}

export function weighGraph(branches: readonly ChangingBranch[], graph: SymbolGraph): WeighedGraph {
  const clusters = clusterFiles(graph);
  return { branches, graph, clusters, impact: impactOf(graph, clusters) };
}

/** Where branches depend on each other, from the uses in their union. */
export function seamRisk({ branches, graph, clusters, impact }: WeighedGraph): SeamRisk {
  const boundaries = boundariesOf(branches, graph);
  const { files, symbols, uses, isCut } = graph;
  return {
    clusters: touchedClusters(branches, clusters),
    overlaps: overlapsOf(branches, graph, clusters, impact),
    boundaries,
    highImpact: highImpact(branches, impact),
    order: mergeOrder(
      branches.map(({ ref }) => ref),
      boundaries,
    ),
    resolution: { files, symbols: symbols.size, uses },
    notes: [...impact.notes, ...(isCut ? [`only the first ${files} files were read`] : [])],
  };
}

function touchedClusters(branches: readonly ChangingBranch[], clusters: Clusters): SeamRisk['clusters'] {
  const sizes = Map.groupBy(clusters, ([, cluster]) => cluster);
  return [...sizes]
    .map(([id, files]) => ({
      id,
      files: files.length,
      branches: branches.filter((branch) => clustersOf(branch, clusters).has(id)).map(({ ref }) => ref),
    }))
    .filter((cluster) => cluster.branches.length > 0)
    .sort((a, b) => b.branches.length - a.branches.length || (a.id < b.id ? -1 : 1));
}

function clustersOf({ symbols }: ChangingBranch, clusters: Clusters): Set<string> {
  return new Set([...symbols].flatMap((symbol) => clusters.get(fileOf(symbol)) ?? []));
}

function pairsOf(branches: readonly ChangingBranch[]): (readonly [ChangingBranch, ChangingBranch])[] {
  return branches.flatMap((a, index) => branches.slice(index + 1).map((b) => [a, b] as const));
}

function boundariesOf(
  branches: readonly ChangingBranch[],
  graph: SymbolGraph,
): Boundary[] & SeamRisk['boundaries'] {
  return pairsOf(branches)
    .flatMap(([a, b]) => [
      { defines: a.ref, consumes: b.ref, symbols: [...usesBetween(b, a, graph).keys()].sort() },
      { defines: b.ref, consumes: a.ref, symbols: [...usesBetween(a, b, graph).keys()].sort() },
    ])
    .filter(({ symbols }) => symbols.length > 0);
}

const ranks = { high: 0, medium: 1, low: 2 } as const;

function overlapsOf(
  branches: readonly ChangingBranch[],
  graph: SymbolGraph,
  clusters: Clusters,
  impact: Impact,
): SeamRisk['overlaps'] {
  const overlaps = pairsOf(branches).flatMap(([a, b]): SeamRisk['overlaps'] => {
    const common = [...clustersOf(a, clusters)].filter((cluster) => clustersOf(b, clusters).has(cluster));
    return common.sort().map((cluster) => {
      const isHere = (symbol: string) => clusters.get(fileOf(symbol)) === cluster;
      const uses = [...usesBetween(a, b, graph), ...usesBetween(b, a, graph)].filter(([symbol]) =>
        isHere(symbol),
      );
      const both = [...a.symbols].filter((symbol) => b.symbols.has(symbol) && isHere(symbol));
      const shared = [...new Set([...both, ...uses.map(([symbol]) => symbol)])].sort();
      const coordinationEdges = uses.reduce((sum, [, count]) => sum + count, 0);
      const risk = shared.some((symbol) => impact.isBridge(symbol))
        ? 'high'
        : coordinationEdges > manyEdges || both.length > 0
          ? 'medium'
          : 'low';
      return {
        cluster,
        branches: [a.ref, b.ref],
        sharedSymbols: shared.slice(0, mostListed),
        coordinationEdges,
        risk,
      };
    });
  });
  return overlaps.sort((a, b) => ranks[a.risk] - ranks[b.risk] || b.coordinationEdges - a.coordinationEdges);
}

function highImpact(branches: readonly ChangingBranch[], impact: Impact): SeamRisk['highImpact'] {
  const changed = new Map<string, string[]>();
  for (const { ref, symbols } of branches)
    for (const symbol of symbols) changed.set(symbol, [...(changed.get(symbol) ?? []), ref]);
  return [...changed]
    .map(([symbol, changedBy]) => ({
      symbol,
      changedBy,
      isBridge: impact.isBridge(symbol),
      blastRadius: impact.dependents(symbol).size,
      consumers: impact.consumers(symbol).slice(0, mostListed),
    }))
    .filter(({ isBridge, blastRadius }) => isBridge || blastRadius >= wideReach)
    .sort((a, b) => b.blastRadius - a.blastRadius || (a.symbol < b.symbol ? -1 : 1));
}
