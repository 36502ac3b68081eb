import { Climb } from './climb.ts';
import type { Placed } from './placement.ts';
import type { FlatTree } from './tree/flat-tree.ts';

/** Which definition encloses a node. */
export class DefinitionPaths {
  readonly #climb: Climb<string>;
  readonly #byNode = new Map<number, string>();
  readonly #byClass = new Map<number, string>();

  constructor(tree: FlatTree, placed: readonly Placed[]) {
    this.#climb = new Climb(tree, (node) => this.#byNode.get(node), '');
    // Of several names of one pattern the first stands for all of them.
    for (const { node, path, classNode } of placed) {
      if (!this.#byNode.has(node)) this.#byNode.set(node, path);
      if (classNode >= 0) this.#byClass.set(classNode, path);
    }
  }

  /** Symbol path of the innermost definition around `node`, `''` at module level. */
  at(node: number): string {
    return this.#climb.from(node);
  }

  /** The definition of a class. */
  ofClass(classNode: number): string | undefined {
    return this.#byClass.get(classNode);
  }
}
