import type { Placed } from './placement.ts';
import type { FlatTree } from './tree/flat-tree.ts';

/** Which definition encloses a node. */
export class DefinitionPaths {
  readonly #tree: FlatTree;
  readonly #byNode = new Map<number, string>();
  readonly #byClass = new Map<number, string>();

  constructor(tree: FlatTree, placed: readonly Placed[]) {
    this.#tree = tree;
    // Of several names of one pattern the first stands for all of them.
    for (const { node, path, classNode } of placed) {
      if (!this.#byNode.has(node)) this.#byNode.set(node, path);
      if (classNode >= 0) this.#byClass.set(classNode, path);
    }
  }

  /** Symbol path of the innermost definition around `node`, `''` at module level. */
  at(node: number): string {
    for (let current = node; current > 0; current = this.#tree.parent[current] as number) {
      const path = this.#byNode.get(current);
      if (path !== undefined) return path;
    }
    return '';
  }

  /** The definition that `node` itself is. */
  of(node: number): string | undefined {
    return this.#byNode.get(node);
  }

  /** The definition of a class. */
  ofClass(classNode: number): string | undefined {
    return this.#byClass.get(classNode);
  }
}
