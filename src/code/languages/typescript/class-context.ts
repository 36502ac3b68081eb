import { childIn, has } from './reading.ts';
import type { FlatTree } from './tree/flat-tree.ts';
import { Flag, Kind, kindTable, Role } from './tree/grammar.ts';

/** The class that `this` or `super` belongs to. */
export interface ThisOwner {
  readonly classNode: number;
  /** `this` is the class itself. */
  readonly isStatic: boolean;
}

/** A range of the tree in which `this` has one meaning. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Null in functions that have their own `this`, and in heritage, keys and decorators of classes. */
  readonly owner: ThisOwner | null;
}

const concerns = kindTable([Kind.This, Kind.Super, Kind.Function, Kind.Class, Kind.Field, Kind.StaticBlock]);

/** The owner of each `this` and `super` that belongs to a class, by node. One pass: code may be nested deeply. */
export function thisOwners(tree: FlatTree): ReadonlyMap<number, ThisOwner> {
  const { kind, parent, after, count } = tree;
  const owners = new Map<number, ThisOwner>();
  const stack: Stretch[] = [];
  for (let node = 1; node < count; node++) {
    if (concerns[kind[node] as number] !== 1) continue;
    while (stack.length > 0 && node >= (stack[stack.length - 1] as Stretch).to) stack.pop();
    const nodeKind = kind[node];
    if (nodeKind === Kind.This || nodeKind === Kind.Super) {
      const owner = ownerAt(stack, node);
      if (owner !== null) owners.set(node, owner);
    } else if (nodeKind === Kind.Field) {
      const value = childIn(tree, node, Role.value);
      if (value >= 0) stack.push({ from: value, to: after[value] as number, owner: memberOwner(tree, node) });
    } else {
      const member = nodeKind === Kind.StaticBlock ? node : (parent[node] as number);
      const isMember =
        nodeKind === Kind.StaticBlock || (nodeKind === Kind.Function && kind[member] === Kind.Method);
      stack.push({
        from: node,
        to: after[node] as number,
        owner: isMember ? memberOwner(tree, member) : null,
      });
    }
  }
  return owners;
}

export function classBody(tree: FlatTree, classNode: number): number {
  return childIn(tree, classNode, Role.body);
}

function ownerAt(stack: readonly Stretch[], node: number): ThisOwner | null {
  let top = stack.length - 1;
  // The key of a field precedes its value.
  while (top >= 0 && node < (stack[top] as Stretch).from) top--;
  return top < 0 ? null : (stack[top] as Stretch).owner;
}

function memberOwner(tree: FlatTree, member: number): ThisOwner {
  const { kind, parent } = tree;
  const classNode = parent[parent[member] as number] as number;
  return { classNode, isStatic: kind[member] === Kind.StaticBlock || has(tree, member, Flag.static) };
}
