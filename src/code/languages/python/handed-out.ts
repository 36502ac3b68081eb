import type { TypeName } from '#code/facts/facts.ts';
import { type NodeId, none } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import type { Names } from './names.ts';

const returning: ReadonlySet<string> = new Set(['return_statement']);
const returningOrYielding: ReadonlySet<string> = new Set(['return_statement', 'yield']);

/** The class of everything that a function returns or yields itself; null if it is not one class that is known. */
export function handedOut(bound: Bound, names: Names, node: NodeId): TypeName | null {
  return typeOfAll(names, valuesOf(bound, node, returningOrYielding));
}

/**
 * The class that a function without an annotation returns: `return Repositories(session)`. `return None` does not count: who reads a member
 * expects the class.
 */
export function returnedType(bound: Bound, names: Names, node: NodeId): TypeName | null {
  const { tree } = bound;
  if (tree.child(node, 'return_type') !== none || bound.scopeOf(node)?.isGenerator) return null;
  const values = valuesOf(bound, node, returning).filter((value) => tree.kind(value) !== 'none');
  return typeOfAll(names, values);
}

function valuesOf(bound: Bound, node: NodeId, kinds: ReadonlySet<string>): NodeId[] {
  const { tree } = bound;
  const scope = bound.scopeOf(node);
  const values: NodeId[] = [];
  const end = tree.subtreeEnd(node);
  for (let at = tree.child(node, 'body'); at < end; at++) {
    if (!kinds.has(tree.kind(at)) || bound.scopeAt(at).frame !== scope) continue;
    const value = tree.firstChild(at);
    if (value !== none) values.push(value);
  }
  return values;
}

function typeOfAll(names: Names, values: readonly NodeId[]): TypeName | null {
  const types = new Set(values.map((value) => names.valueType(value)));
  const [type = null] = types;
  return types.size === 1 ? type : null;
}
