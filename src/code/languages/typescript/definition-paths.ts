import { Climb } from './climb.ts';
import type { Placed } from './placement.ts';
import type { FlatTree } from './tree/flat-tree.ts';

/** Finds the definition around a node, and the definition of a class. */
export class DefinitionPaths {
  readonly #tree: FlatTree;
  readonly #placed: readonly Placed[];
  readonly #byClass = new Map<number, string>();
  #around: Climb<string> | null = null;

  constructor(tree: FlatTree, placed: readonly Placed[]) {
    this.#tree = tree;
    this.#placed = placed;
    for (const { path, classNode } of placed) if (classNode >= 0) this.#byClass.set(classNode, path);
  }

  /** Symbol path of the innermost definition around `node`, `''` at module level. */
  at(node: number): string {
    this.#around ??= this.#climb();
    return this.#around.from(node);
  }

  /** The definition of a class. */
  ofClass(classNode: number): string | undefined {
    return this.#byClass.get(classNode);
  }

  #climb(): Climb<string> {
    const byNode = new Map<number, string>();
    // Of several names of one pattern the first represents all of them.
    for (const { node, path } of this.#placed) if (!byNode.has(node)) byNode.set(node, path);
    return new Climb(this.#tree, (node) => byNode.get(node), '');
  }
}
