import type { FlatTree } from './tree/flat-tree.ts';

/**
 * Answers a question that the nearest ancestor with an answer decides. Caches the answer for all nodes on the way: long sums nest so deeply
 * that climbing from each term would take forever.
 */
export class Climb<T> {
  readonly #tree: FlatTree;
  readonly #decide: (node: number) => T | undefined;
  readonly #atTop: T;
  readonly #known = new Map<number, T>();

  constructor(tree: FlatTree, decide: (node: number) => T | undefined, atTop: T) {
    this.#tree = tree;
    this.#decide = decide;
    this.#atTop = atTop;
  }

  from(start: number): T {
    const passed: number[] = [];
    let answer: T | undefined;
    let node = start;
    for (; node > 0 && answer === undefined; node = this.#tree.parent[node] as number) {
      answer = this.#known.get(node) ?? this.#decide(node);
      passed.push(node);
    }
    const settled = answer ?? this.#atTop;
    for (const below of passed) this.#known.set(below, settled);
    return settled;
  }
}
