import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import { stringValue } from './expressions.ts';

/** The value of `__all__`: the names, or that it is computed. */
export type PublicNames =
  | { readonly is: 'absent' | 'computed' }
  | { readonly is: 'listed'; readonly names: readonly string[] };

/** Collects `__all__ = […]`, `+=`, `.extend(…)` and `.append(…)`; conditional additions count as additions. */
export function readPublicNames(bound: Bound): PublicNames {
  const { tree } = bound;
  if (!tree.text.includes('__all__')) return { is: 'absent' };
  const names = new Set<string>();
  let isPresent = false;
  for (let node = 0; node < tree.size; node++) {
    if (tree.kind(node) !== 'identifier' || tree.textOf(node) !== '__all__') continue;
    if (bound.scopeAt(node).kind !== 'module' || tree.field(node) === 'attribute') continue;
    const added = additions(tree, node);
    if (added === 'none') continue;
    isPresent = true;
    if (added === 'computed') return { is: 'computed' };
    for (const name of added) names.add(name);
  }
  return isPresent ? { is: 'listed', names: [...names] } : { is: 'absent' };
}

/** What the statement around one mention of `__all__` adds to it. */
function additions(tree: SyntaxTree, mention: NodeId): readonly string[] | 'computed' | 'none' {
  const parent = tree.parent(mention);
  switch (tree.kind(parent)) {
    case 'assignment':
    case 'augmented_assignment': {
      if (tree.field(mention) !== 'left') return 'none';
      const value = tree.child(parent, 'right');
      return value === none ? 'none' : (literalNames(tree, value) ?? 'computed');
    }
    case 'attribute':
      return methodAdditions(tree, parent);
    case 'subscript':
      return tree.kind(tree.parent(parent)) === 'assignment' ? 'computed' : 'none';
    case 'pattern_list':
    case 'tuple_pattern':
    case 'list_pattern':
    case 'delete_statement':
      return 'computed';
    // `from .api import __all__`
    case 'dotted_name':
      return tree.kind(tree.parent(parent)) === 'import_from_statement' ? 'computed' : 'none';
    default:
      return 'none';
  }
}

function methodAdditions(tree: SyntaxTree, attribute: NodeId): readonly string[] | 'computed' | 'none' {
  const call = tree.parent(attribute);
  if (tree.kind(call) !== 'call' || tree.field(attribute) !== 'function') return 'none';
  const method = tree.textOf(tree.child(attribute, 'attribute'));
  const [argument] = tree.children(tree.child(call, 'arguments'));
  if (method === 'index' || method === 'count' || method === 'copy' || method === 'sort') return 'none';
  if (argument === undefined) return 'computed';
  if (method === 'extend') return literalNames(tree, argument) ?? 'computed';
  const name = method === 'append' ? stringValue(tree, argument) : null;
  return name === null ? 'computed' : [name];
}

/** The strings of a literal list or tuple, or of a sum of them; null when a part is computed. */
function literalNames(tree: SyntaxTree, value: NodeId): string[] | null {
  const names: string[] = [];
  const pending = [value];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const kind = tree.kind(node);
    if (kind === 'binary_operator' || kind === 'parenthesized_expression') {
      const parts = tree.children(node);
      const [left, right] = parts;
      const isSum =
        left === undefined ||
        right === undefined ||
        tree.text.slice(tree.end(left), tree.start(right)).includes('+');
      if (!isSum) return null;
      pending.push(...parts.reverse());
      continue;
    }
    if (kind !== 'list' && kind !== 'tuple' && kind !== 'expression_list') return null;
    for (const item of tree.children(node)) {
      const name = stringValue(tree, item);
      if (name === null) return null;
      names.push(name);
    }
  }
  return names;
}
