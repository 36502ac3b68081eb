import { childIn, has } from './reading.ts';
import type { FlatTree } from './tree/flat-tree.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';

export interface ThisOwner {
  readonly classNode: number;
  /** `this` is the class itself. */
  readonly isStatic: boolean;
}

/** The class whose instance `this` is at `node`; null outside of classes and in functions that have their own `this`. */
export function thisOwner(tree: FlatTree, node: number): ThisOwner | null {
  const { kind, parent, role } = tree;
  let below = node;
  for (let current = parent[node] as number; current >= 0; current = parent[current] as number) {
    switch (kind[current]) {
      case Kind.Function:
        if (kind[parent[current] as number] !== Kind.Method) return null;
        break;
      case Kind.Method:
      case Kind.Field:
        // Keys and decorators are evaluated outside of any instance.
        if (role[below] !== Role.value) return null;
        return { classNode: classOf(tree, current), isStatic: has(tree, current, Flag.static) };
      case Kind.StaticBlock:
        return { classNode: classOf(tree, current), isStatic: true };
      case Kind.Class:
      case Kind.ModuleBlock:
        return null;
    }
    below = current;
  }
  return null;
}

export function classBody(tree: FlatTree, classNode: number): number {
  return childIn(tree, classNode, Role.body);
}

function classOf(tree: FlatTree, member: number): number {
  return tree.parent[tree.parent[member] as number] as number;
}
