import type { TypeName } from '#code/facts/facts.ts';
import { heldValue, plainResult, resultPart } from '#code/languages/shared/results.ts';
import type { LocalTypes } from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { packageNames } from './imports.ts';
import { elementTypeOf, heldType, visibleType } from './types.ts';
import { visible } from './visible.ts';

/** The type of a value, as a path that the linker follows: `Server.store.(held).Find.()` for `s.store.Find(1)`. */
export function typeOf(tree: SyntaxTree, node: NodeId, local: LocalTypes): TypeName | null {
  switch (tree.kind(node)) {
    case 'identifier':
      return typeOfName(tree, node, local);
    case 'selector_expression':
      return typeOfMember(tree, node, local);
    case 'call_expression':
      return typeOfCall(tree, node, local);
    case 'index_expression':
      return elementTypeOf(typeOf(tree, tree.child(node, 'operand'), local));
    case 'slice_expression':
      return typeOf(tree, tree.child(node, 'operand'), local);
    case 'parenthesized_expression':
      return typeOf(tree, tree.firstChild(node), local);
    case 'unary_expression':
      return typeOfAddress(tree, node, local);
    case 'composite_literal':
    case 'type_assertion_expression':
    case 'type_conversion_expression':
      return visibleType(heldType(tree, tree.child(node, 'type')), local);
    default:
      return null;
  }
}

/** Values whose members are read without a name in front of them: `find(1).Name`, `users[0].Name`, `x.(*User).Name`. */
export function typeOfNameless(tree: SyntaxTree, node: NodeId, local: LocalTypes): TypeName | null {
  const kind = tree.kind(node);
  return kind === 'identifier' || kind === 'selector_expression' ? null : typeOf(tree, node, local);
}

/** The type of one of the values that an expression gives: `x, err := find(1)`. */
export function typeOfPart(tree: SyntaxTree, node: NodeId, at: number, local: LocalTypes): TypeName | null {
  if (at === 0) return typeOf(tree, node, local);
  const callee = tree.kind(node) === 'call_expression' ? calleeOf(tree, node, local) : null;
  return callee === null ? null : `${callee}.${resultPart(at)}`;
}

/** What a call calls: `New`, `model.New`, `Server.store.(held).Find`. */
export function calleeOf(tree: SyntaxTree, call: NodeId, local: LocalTypes): string | null {
  const callee = tree.child(call, 'function');
  if (tree.kind(callee) === 'identifier') {
    const name = tree.textOf(callee);
    return local(name) === undefined && !visible.has(name) ? name : null;
  }
  if (tree.kind(callee) !== 'selector_expression') return null;
  const operand = tree.child(callee, 'operand');
  const owner = isPackage(tree, operand, local) ? tree.textOf(operand) : typeOf(tree, operand, local);
  return owner === null ? null : `${owner}.${tree.textOf(tree.child(callee, 'field'))}`;
}

/** `User.Save(user, 1)`, as far as names tell: the receiver may be an argument. */
export function mayTakeReceiver(tree: SyntaxTree, call: NodeId, local: LocalTypes): boolean {
  const callee = tree.child(call, 'function');
  if (tree.kind(callee) !== 'selector_expression') return false;
  const owner = tree.child(callee, 'operand');
  if (tree.kind(owner) === 'identifier')
    return !isPackage(tree, owner, local) && local(tree.textOf(owner)) === undefined;
  return (
    tree.kind(owner) === 'parenthesized_expression' ||
    (tree.kind(owner) === 'selector_expression' && isPackage(tree, tree.child(owner, 'operand'), local))
  );
}

function typeOfName(tree: SyntaxTree, node: NodeId, local: LocalTypes): TypeName | null {
  const name = tree.textOf(node);
  const known = local(name);
  if (known !== undefined) return known;
  return visible.has(name) || packageNames(tree).has(name) ? null : name;
}

function typeOfMember(tree: SyntaxTree, node: NodeId, local: LocalTypes): TypeName | null {
  const operand = tree.child(node, 'operand');
  const member = tree.textOf(tree.child(node, 'field'));
  if (isPackage(tree, operand, local)) return `${tree.textOf(operand)}.${member}`;
  const owner = typeOf(tree, operand, local);
  return owner === null ? null : `${owner}.${member}.${heldValue}`;
}

function typeOfCall(tree: SyntaxTree, node: NodeId, local: LocalTypes): TypeName | null {
  const callee = calleeOf(tree, node, local);
  if (callee !== null) return `${callee}.${plainResult}`;
  const [first = none] = tree.children(tree.child(node, 'arguments'));
  const name = tree.textOf(tree.child(node, 'function'));
  if (local(name) !== undefined) return null;
  if (name === 'append') return typeOf(tree, first, local);
  return name === 'new' || name === 'make' ? visibleType(heldType(tree, first), local) : null;
}

/** `&User{}`, and `*user` where that is a variable: `*User` may be a type. */
function typeOfAddress(tree: SyntaxTree, node: NodeId, local: LocalTypes): TypeName | null {
  const operand = tree.child(node, 'operand');
  const operator = tree.text[tree.start(node)];
  if (operator === '&') return typeOf(tree, operand, local);
  const isVariable = tree.kind(operand) === 'identifier' && local(tree.textOf(operand)) !== undefined;
  return operator === '*' && isVariable ? typeOf(tree, operand, local) : null;
}

function isPackage(tree: SyntaxTree, node: NodeId, local: LocalTypes): boolean {
  const name = tree.kind(node) === 'identifier' ? tree.textOf(node) : '';
  return name !== '' && local(name) === undefined && packageNames(tree).has(name);
}
