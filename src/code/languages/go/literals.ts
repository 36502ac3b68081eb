import type { TypeName } from '#code/facts/facts.ts';
import type { LocalTypes } from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { elementNode, namedType, visibleType } from './types.ts';

/** The keys of `User{Name: "a"}` and `[]User{{Name: "a"}}`, with the type they are fields of. */
export function namedMembers(
  tree: SyntaxTree,
  node: NodeId,
  local: LocalTypes,
): { type: TypeName; member: NodeId }[] {
  if (tree.kind(node) !== 'literal_value') return [];
  const type = visibleType(namedType(tree, typeOfLiteral(tree, node)), local);
  if (type === null) return [];
  return tree.children(node).flatMap((element) => {
    const key = tree.kind(element) === 'keyed_element' ? tree.firstChild(tree.child(element, 'key')) : none;
    return tree.kind(key) === 'identifier' ? [{ type, member: key }] : [];
  });
}

/** A key that is the name of a field, not a value: `name` in `struct{ name string }{name: "a"}`, but not in `map[string]int{name: 1}`. */
export function isKeyOfStruct(tree: SyntaxTree, name: NodeId): boolean {
  const key = tree.parent(name);
  if (tree.kind(key) !== 'literal_element' || tree.field(key) !== 'key') return false;
  return elementNode(tree, typeOfLiteral(tree, tree.parent(tree.parent(key)))) === none;
}

/** The type that is written for a literal, or for the elements of the list around it; `none` where that is unknown. */
function typeOfLiteral(tree: SyntaxTree, literal: NodeId): NodeId {
  const parent = tree.parent(literal);
  if (tree.kind(parent) === 'composite_literal') return tree.child(parent, 'type');
  if (tree.kind(parent) !== 'literal_element' || tree.field(parent) === 'key') return none;
  const holder = tree.parent(parent);
  const around = tree.kind(holder) === 'keyed_element' ? tree.parent(holder) : holder;
  return elementNode(tree, typeOfLiteral(tree, around));
}
