import { posix } from 'node:path';
import { UndirectedGraph } from 'graphology';
import louvainModule from 'graphology-communities-louvain';
import { fileOf, type SymbolGraph } from './symbol-graph.ts';

// CommonJS: at run time the module is the function that its types call `default`.
const louvain = louvainModule as unknown as typeof louvainModule.default;

/** By file, the name of the cluster it belongs to. */
export type Clusters = ReadonlyMap<string, string>;

/** Files that use each other more than other files. The same graph gives the same clusters, in any reading order. */
export function clusterFiles({ symbols, edges }: Pick<SymbolGraph, 'symbols' | 'edges'>): Clusters {
  const files = new Set([...symbols].map(fileOf));
  const weights = new Map<string, number>();
  for (const [from, targets] of edges)
    for (const [to, count] of targets) {
      const [a, b] = [fileOf(from), fileOf(to)].sort();
      files.add(a ?? '').add(b ?? '');
      if (a !== b) weights.set(`${a}\0${b}`, (weights.get(`${a}\0${b}`) ?? 0) + count);
    }
  const graph = new UndirectedGraph();
  for (const file of [...files].sort()) graph.addNode(file);
  for (const [pair, weight] of [...weights].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [a = '', b = ''] = pair.split('\0');
    graph.addEdge(a, b, { weight });
  }
  if (graph.size === 0) return named(new Map([...files].map((file) => [file, file])));
  const found = louvain(graph, { getEdgeWeight: 'weight', randomWalk: false, rng: fixedRandom() });
  return named(new Map(Object.entries(found).map(([file, number]) => [file, String(number)])));
}

/** A small linear generator with a fixed seed: nothing depends on chance. */
function fixedRandom(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A cluster is named after the folder that contains most of its files; a second one of that folder gets a number. */
function named(numbers: ReadonlyMap<string, string>): Clusters {
  const members = Map.groupBy([...numbers].sort(), ([, number]) => number);
  const taken = new Map<string, number>();
  const names = new Map<string, string>();
  const ordered = [...members].sort(([, a], [, b]) => ((a[0]?.[0] ?? '') < (b[0]?.[0] ?? '') ? -1 : 1));
  for (const [number, files] of ordered) {
    const folders = Map.groupBy(files, ([file]) => posix.dirname(file));
    const [most = '.'] =
      [...folders].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))[0] ?? [];
    const count = (taken.get(most) ?? 0) + 1;
    taken.set(most, count);
    names.set(number, count === 1 ? most : `${most} ${count}`);
  }
  return new Map([...numbers].map(([file, number]) => [file, names.get(number) ?? number]));
}
