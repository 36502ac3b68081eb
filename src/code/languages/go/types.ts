import type { TypeName } from '#code/facts/facts.ts';
import {
  elementOf,
  elementType,
  heldValue,
  plainResult,
  resultPart,
} from '#code/languages/shared/results.ts';
import type { LocalTypes } from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';

/** `User` for `User`, `*User` and `User[int]`; `model.User` for `*model.User`. */
export function namedType(tree: SyntaxTree, type: NodeId): TypeName | null {
  switch (tree.kind(type)) {
    case 'type_identifier':
      return tree.textOf(type);
    case 'qualified_type':
      return `${tree.textOf(tree.child(type, 'package'))}.${tree.textOf(tree.child(type, 'name'))}`;
    case 'pointer_type':
      return namedType(tree, tree.firstChild(type));
    case 'generic_type':
      return namedType(tree, tree.child(type, 'type'));
    default:
      return null;
  }
}

/** The same, and `User[]` for `[]*User`, `[3]User` and `map[string]User`. */
export function heldType(tree: SyntaxTree, type: NodeId): TypeName | null {
  const element = elementNode(tree, type);
  if (element === none) return namedType(tree, type);
  const named = namedType(tree, element);
  return named === null ? null : `${named}${elementOf}`;
}

/** The type of the elements of a slice, array or map. */
export function elementNode(tree: SyntaxTree, type: NodeId): NodeId {
  switch (tree.kind(type)) {
    case 'slice_type':
    case 'array_type':
    case 'implicit_length_array_type':
      return tree.child(type, 'element');
    case 'map_type':
      return tree.child(type, 'value');
    default:
      return none;
  }
}

/** A type as it is written in a function: a type parameter, or a type of the function itself, is not one of the package. */
export function visibleType(type: TypeName | null, local: LocalTypes): TypeName | null {
  const root = type?.split(/[.[]/, 1)[0] ?? '';
  return type !== null && local(root) === undefined ? type : null;
}

/** The type of an element of a value: `User` for `User[]`, `list.(#0[])` for `list.()`. */
export function elementTypeOf(type: TypeName | null): TypeName | null {
  if (type === null) return null;
  const cut = type.lastIndexOf('.') + 1;
  const [owner, last] = [type.slice(0, cut), type.slice(cut)];
  if (last === heldValue) return `${owner}${elementOf}`;
  if (last === plainResult) return `${owner}${resultPart(0, true)}`;
  const [, at] = /^\(#(\d+)\)$/.exec(last) ?? [];
  if (at !== undefined) return `${owner}${resultPart(Number(at), true)}`;
  return last === elementOf ? null : elementType(type);
}

export function namesOf(tree: SyntaxTree, node: NodeId): NodeId[] {
  return tree.children(node).filter((child) => tree.field(child) === 'name');
}
