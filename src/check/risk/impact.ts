import { DirectedGraph } from 'graphology';
import betweennessModule from 'graphology-metrics/centrality/betweenness.js';
import type { Clusters } from './clusters.ts';
import { fileOf, type SymbolGraph } from './symbol-graph.ts';

// CommonJS: at run time the module is the function that its types call `default`.
const betweenness = betweennessModule as unknown as typeof betweennessModule.default;

export interface Impact {
  /** Symbols that use it directly. */
  consumers(symbol: string): readonly string[];
  /** Symbols that depend on it, directly or indirectly. */
  dependents(symbol: string): ReadonlySet<string>;
  isBridge(symbol: string): boolean;
  readonly notes: readonly string[];
}

/** A symbol with users in this many clusters is a bridge. */
const bridgeClusters = 3;
/** Betweenness costs nodes × edges: larger graphs use only clusters. */
const mostForBetweenness = 4_000_000;

export function impactOf({ edges, symbols }: SymbolGraph, clusters: Clusters): Impact {
  const users = new Map<string, string[]>();
  let count = 0;
  for (const [from, targets] of edges)
    for (const to of targets.keys()) {
      count++;
      const known = users.get(to);
      if (known) known.push(from);
      else users.set(to, [from]);
    }
  const clusterOf = (symbol: string) => clusters.get(fileOf(symbol)) ?? '';
  const isCheap = symbols.size * count <= mostForBetweenness;
  const busy = isCheap ? busiest(edges) : new Set<string>();
  return {
    consumers: (symbol) => (users.get(symbol) ?? []).toSorted(),
    dependents: (symbol) => dependentsOf(symbol, users),
    isBridge(symbol) {
      const around = new Set((users.get(symbol) ?? []).map(clusterOf));
      const crosses = [...around].some((cluster) => cluster !== clusterOf(symbol));
      return around.size >= bridgeClusters || (crosses && busy.has(symbol));
    },
    notes: isCheap
      ? []
      : [`${symbols.size} symbols: bridges were found by clusters alone, not by betweenness`],
  };
}

/** Everything that may break when a symbol changes, without the symbol itself. */
function dependentsOf(symbol: string, users: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set([symbol]);
  const queue = [symbol];
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const user of users.get(next) ?? [])
      if (!seen.has(user)) {
        seen.add(user);
        queue.push(user);
      }
  seen.delete(symbol);
  return seen;
}

/** The tenth of the symbols with the most shortest paths through them. */
function busiest(edges: SymbolGraph['edges']): Set<string> {
  const graph = new DirectedGraph();
  for (const [from, targets] of [...edges].sort(([a], [b]) => (a < b ? -1 : 1)))
    for (const to of [...targets.keys()].sort()) graph.mergeEdge(from, to);
  // The library refuses a graph without nodes.
  if (graph.order === 0) return new Set();
  const scores = Object.entries(betweenness(graph)).filter(([, score]) => score > 0);
  const ranked = scores.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return new Set(ranked.slice(0, Math.ceil(ranked.length / 10)).map(([symbol]) => symbol));
}
