import type { Parameter, TypeName } from '#code/facts/facts.ts';
import { importedInside } from '#code/languages/shared/results.ts';
import { type NodeId, none } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import { onlyBase } from './classes.ts';
import { dottedName, stringValue } from './expressions.ts';
import type { Names } from './names.ts';
import { lookup } from './scopes.ts';

/** What a function does with its `**kwargs`: the one function or class that gets them, and the keys that it reads itself. */
export type PassedKeywords = Pick<Parameter, 'typeName' | 'shape'>;

const reading = /^(?:get|pop|setdefault)$/;

/** `typeName` is null when the keywords go to several functions, to an unknown one, or may be used in another way. */
export function passedKeywords(bound: Bound, names: Names, node: NodeId, name: string): PassedKeywords {
  const { tree } = bound;
  const keys = new Set<string>();
  const targets = new Set<TypeName | null>();
  const end = tree.subtreeEnd(node);
  for (let at = tree.child(node, 'body'); at < end; at++) {
    if (tree.kind(at) !== 'identifier' || tree.field(at) === 'attribute' || tree.textOf(at) !== name)
      continue;
    const above = tree.parent(at);
    if (tree.kind(above) === 'keyword_argument' && tree.field(at) === 'name') continue;
    const call = tree.kind(above) === 'dictionary_splat' ? tree.parent(tree.parent(above)) : none;
    if (call !== none && tree.kind(call) === 'call') targets.add(calleeName(bound, names, call));
    else {
      const key = keyRead(bound, at, above);
      if (key === null) targets.add(null);
      else keys.add(key);
    }
  }
  const [target = null] = targets;
  return {
    typeName: targets.size === 1 ? target : null,
    shape: { keys: [...keys].map((key) => ({ name: key, required: false })), open: true },
  };
}

/** `kwargs['x']`, `kwargs.pop('x')`, `'x' in kwargs`; null for any other use. */
function keyRead({ tree }: Bound, use: NodeId, above: NodeId): string | null {
  switch (tree.kind(above)) {
    case 'subscript': {
      const key = tree.field(use) === 'value' ? tree.child(above, 'subscript') : none;
      return key === none ? null : stringValue(tree, key);
    }
    case 'attribute': {
      const call = tree.parent(above);
      const isRead = reading.test(tree.textOf(tree.child(above, 'attribute'))) && tree.kind(call) === 'call';
      const key = isRead ? tree.firstChild(tree.child(call, 'arguments')) : none;
      return key === none ? null : stringValue(tree, key);
    }
    case 'comparison_operator': {
      const key = tree.firstChild(above);
      return key === none ? null : stringValue(tree, key);
    }
    default:
      return null;
  }
}

/** The function or class that a call means, as linking finds it; `partial(Model, …)` means `Model`. */
function calleeName(bound: Bound, names: Names, call: NodeId): TypeName | null {
  const { tree } = bound;
  const callee = tree.child(call, 'function');
  if (/^(?:functools\.)?partial$/.test(tree.textOf(callee))) {
    const made = tree.firstChild(tree.child(call, 'arguments'));
    return made === none ? null : linkedName(bound, names, made);
  }
  const object = tree.kind(callee) === 'attribute' ? tree.child(callee, 'object') : none;
  if (object !== none && tree.textOf(object) === 'super()') {
    const base = onlyBase(bound, bound.scopeAt(call));
    const method = tree.textOf(tree.child(callee, 'attribute'));
    return base === null || method === '__init__' ? base : `${base}.${method}`;
  }
  return linkedName(bound, names, callee);
}

function linkedName(bound: Bound, names: Names, node: NodeId): TypeName | null {
  const parts = dottedName(bound.tree, node);
  const [root, ...members] = parts ?? [];
  if (parts === null || root === undefined) return null;
  const scope = lookup(root, bound.scopeAt(node));
  if (scope?.kind === 'module') return parts.join('.');
  const sites = scope?.bindings.get(root)?.sites ?? [];
  if (scope?.kind !== 'function' || sites.length === 0) return null;
  if (sites.every(({ form }) => form === 'import')) return [importedInside(root), ...members].join('.');
  let first = node;
  while (bound.tree.kind(first) === 'attribute') first = bound.tree.child(first, 'object');
  const owner = scope.bindings.get(root)?.receiver == null ? null : names.classOf(first);
  return owner === null ? null : [owner, ...members].join('.');
}
