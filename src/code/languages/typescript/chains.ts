import { has, keyName, type Reading } from './reading.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';

const noMembers: readonly string[] = [];
/** Members kept after a root. */
export const longestPath = 4;

/** A root and the members read after it: `ns.a.b`. */
export interface Chain {
  readonly path: readonly string[];
  /** The node of the whole chain. */
  readonly top: number;
  /** The chain is longer than the kept path. */
  readonly isCut: boolean;
  /** A member is followed by `?.`: it may be missing. */
  readonly testsMember: boolean;
}

/** Follows the members that are read from the root at `node`. */
export function chainFrom(reading: Reading, node: number): Chain {
  const { tree } = reading;
  const { parent } = tree;
  let top = node;
  let path: string[] | null = null;
  let isCut = false;
  let testsMember = false;
  for (;;) {
    const above = parent[top] as number;
    const member = memberOf(reading, top, above);
    if (member === null) break;
    // Most paths have one member: a list that starts with it is smaller than one that grows.
    if (path === null) path = [member];
    else {
      if (has(tree, above, Flag.optional)) testsMember = true;
      if (path.length < longestPath) path.push(member);
      else isCut = true;
    }
    top = above;
  }
  return { path: path ?? noMembers, top, isCut, testsMember };
}

/** The member that `above` reads from `node`; null when it does something else with it. */
function memberOf(reading: Reading, node: number, above: number): string | null {
  const { tree, names } = reading;
  const kind = tree.kind[above];
  const role = tree.role[node];
  if (role === Role.object) {
    const property = tree.after[node] as number;
    if (kind === Kind.Member || kind === Kind.JsxMember) return names.ofNode(property);
    return kind === Kind.ComputedMember && tree.kind[property] === Kind.String
      ? keyName(reading, property)
      : null;
  }
  if (role === Role.left && kind === Kind.QualifiedName) return names.ofNode(tree.after[node] as number);
  return null;
}

/** Whether the expression at `top` is stored to rather than read. */
export function isWritten(reading: Reading, top: number): boolean {
  const { kind, role, parent } = reading.tree;
  const above = kind[parent[top] as number];
  switch (role[top]) {
    case Role.left:
      return (
        above === Kind.Assignment ||
        above === Kind.For ||
        above === Kind.TargetShorthand ||
        above === Kind.TargetDefault
      );
    case Role.operand:
      return above === Kind.Update || above === Kind.TargetRest;
    case Role.element:
      return above === Kind.ArrayTarget;
    case Role.value:
      return above === Kind.TargetProperty;
    default:
      return false;
  }
}

/** Whether the expression at `top` is the condition of something: `if (a.b)`, `a.b && …`, `!a.b`. */
export function isCondition(reading: Reading, top: number): boolean {
  const { tree } = reading;
  const above = tree.parent[top] as number;
  switch (tree.kind[above]) {
    case Kind.If:
    case Kind.Conditional:
    case Kind.While:
      return tree.role[top] === Role.test;
    case Kind.Logical:
      return tree.role[top] === Role.left || isCondition(reading, above);
    case Kind.Unary:
      return has(tree, above, Flag.not);
    default:
      return false;
  }
}
