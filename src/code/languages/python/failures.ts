import type { Failure } from '#code/facts/facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { dottedName } from './expressions.ts';

/** How each function reports failure, by the node of the function. */
export function failuresOf(tree: SyntaxTree): ReadonlyMap<NodeId, Failure> {
  const found = new Map<NodeId, { raises: string[]; returnsNothing: boolean }>();
  if (!/\braise\b|\breturn None\b/.test(tree.text)) return found;
  for (let node = 0; node < tree.size; node++) {
    const kind = tree.kind(node);
    if (kind !== 'raise_statement' && kind !== 'return_statement') continue;
    const value = tree.firstChild(node);
    const isNothing = kind === 'return_statement' && tree.kind(value) === 'none';
    const error = kind === 'raise_statement' ? errorName(tree, value) : null;
    if (!isNothing && error === null) continue;
    const owner = functionAround(tree, node);
    const known = found.get(owner) ?? { raises: [], returnsNothing: false };
    found.set(owner, known);
    if (isNothing) known.returnsNothing = true;
    if (error !== null && !known.raises.includes(error)) known.raises.push(error);
  }
  return found;
}

function errorName(tree: SyntaxTree, value: NodeId): string | null {
  if (value === none) return null;
  return (
    dottedName(tree, tree.kind(value) === 'call' ? tree.child(value, 'function') : value)?.at(-1) ?? null
  );
}

function functionAround(tree: SyntaxTree, node: NodeId): NodeId {
  let at = tree.parent(node);
  while (at !== none && tree.kind(at) !== 'function_definition') at = tree.parent(at);
  return at;
}
