import type { TypeName } from '#code/facts/facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import type { Names } from './names.ts';
import type { Scope } from './scopes.ts';

/** The class of everything that a function returns or yields itself; null if it is not one class that is known. */
export function handedOut(bound: Bound, names: Names, node: NodeId): TypeName | null {
  const scope = bound.scopeOf(node);
  return typeOfAll(names, valuesOf(bound.tree, [...(scope?.returns ?? []), ...(scope?.yields ?? [])]));
}

/**
 * The class that a function without an annotation returns: `return Repositories(session)`. `return None` does not count: who reads a member
 * expects the class.
 */
export function returnedType(bound: Bound, names: Names, node: NodeId): TypeName | null {
  const { tree } = bound;
  const scope = bound.scopeOf(node);
  if (!scope || scope.isGenerator || tree.child(node, 'return_type') !== none) return null;
  return typeOfAll(names, returnedValues(tree, scope));
}

/** What a function returns itself, `None` aside. */
export function returnedValues(tree: SyntaxTree, { returns }: Scope): NodeId[] {
  return valuesOf(tree, returns).filter((value) => tree.kind(value) !== 'none');
}

function valuesOf(tree: SyntaxTree, statements: readonly NodeId[]): NodeId[] {
  return statements.map((statement) => tree.firstChild(statement)).filter((value) => value !== none);
}

function typeOfAll(names: Names, values: readonly NodeId[]): TypeName | null {
  const types = new Set(values.map((value) => names.valueType(value)));
  const [type = null] = types;
  return types.size === 1 ? type : null;
}
