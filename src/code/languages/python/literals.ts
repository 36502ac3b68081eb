import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { dottedName, stringValue } from './expressions.ts';
import { subscriptArguments } from './type-names.ts';

/** The literal that a node is, as JSON; null for everything else. */
export function literalOf(tree: SyntaxTree, node: NodeId): string | null {
  if (node === none) return null;
  const text = tree.textOf(node);
  switch (tree.kind(node)) {
    case 'string': {
      const value = stringValue(tree, node);
      return value === null ? null : JSON.stringify(value);
    }
    case 'integer':
      return /^\d[\d_]*$/.test(text) ? String(Number(text.replaceAll('_', ''))) : null;
    case 'unary_operator':
      return /^-\s*\d[\d_]*$/.test(text) ? String(Number(text.replaceAll(/[\s_]/g, ''))) : null;
    case 'true':
    case 'false':
      return text.toLowerCase();
    default:
      return null;
  }
}

/** The values of `Literal['open', 'done']`; null for anything else. */
export function literalUnion(tree: SyntaxTree, node: NodeId): readonly string[] | null {
  if (node === none) return null;
  const inner = tree.kind(node) === 'type' ? tree.firstChild(node) : node;
  const kind = tree.kind(inner);
  if (kind !== 'subscript' && kind !== 'generic_type') return null;
  if (dottedName(tree, tree.firstChild(inner))?.at(-1) !== 'Literal') return null;
  const found: string[] = [];
  for (const argument of subscriptArguments(tree, inner)) {
    const value = tree.kind(argument) === 'type' ? tree.firstChild(argument) : argument;
    const literal = literalOf(tree, value);
    if (literal === null) return null;
    found.push(literal);
  }
  return found;
}

/** The number that an expression is compared with, or its only argument in a call. */
export function literalBeside(tree: SyntaxTree, node: NodeId): string | null {
  const above = tree.parent(node);
  if (tree.kind(above) === 'comparison_operator') {
    const [left, right, more] = tree.children(above);
    const other = left === node ? right : left;
    return more === undefined && other !== undefined && tree.kind(other) === 'integer'
      ? literalOf(tree, other)
      : null;
  }
  if (tree.kind(above) !== 'call' || tree.field(node) !== 'function') return null;
  const [only, more] = tree.children(tree.child(above, 'arguments'));
  return only !== undefined && more === undefined && tree.kind(only) === 'integer'
    ? literalOf(tree, only)
    : null;
}
