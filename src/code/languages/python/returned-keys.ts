import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import { stringValue } from './expressions.ts';
import { returnedValues } from './handed-out.ts';
import type { Scope } from './scopes.ts';

/** A key of a dictionary, where it is written. */
export interface WrittenKey {
  readonly name: string;
  readonly at: NodeId;
  readonly value: NodeId;
}

/** Larger ones are tables of data. */
const mostKeys = 60;
const plainKey = /^[A-Za-z_][\w-]{0,60}$/;
/** An annotation that does not tell the keys. */
const anyDictionary = /^(?:\w+\.)?(?:dict|Dict|Mapping|MutableMapping|Any)\b/;

/** The keys that a function returns, when each `return` gives a dictionary whose keys are all written in the function; null otherwise. */
export function returnedKeys(bound: Bound, node: NodeId): WrittenKey[] | null {
  const { tree } = bound;
  const scope = bound.scopeOf(node);
  if (!scope || scope.isGenerator || scope.returns.length === 0) return null;
  const annotation = tree.child(node, 'return_type');
  if (annotation !== none && !anyDictionary.test(tree.textOf(annotation))) return null;
  const values = returnedValues(tree, scope);
  const found = new Map<string, WrittenKey>();
  for (const value of new Set(values)) {
    const keys =
      tree.kind(value) === 'identifier' ? keysOfVariable(bound, scope, value) : keysOf(tree, value);
    if (keys === null) return null;
    for (const key of keys) if (!found.has(key.name)) found.set(key.name, key);
  }
  return values.length === 0 || found.size > mostKeys ? null : [...found.values()];
}

/** The keys of `{ 'a': 1 }` and `dict(a=1)`; null when some are computed. */
function keysOf(tree: SyntaxTree, value: NodeId): WrittenKey[] | null {
  const isCall = tree.kind(value) === 'call' && tree.textOf(tree.child(value, 'function')) === 'dict';
  if (tree.kind(value) !== 'dictionary' && !isCall) return null;
  const entries = tree.children(isCall ? tree.child(value, 'arguments') : value);
  const keys: WrittenKey[] = [];
  for (const entry of entries) {
    if (tree.kind(entry) === 'comment') continue;
    const isKeyword = tree.kind(entry) === 'keyword_argument';
    const at = isKeyword ? tree.child(entry, 'name') : tree.child(entry, 'key');
    if (at === none || (isCall && !isKeyword)) return null;
    const name = isKeyword ? tree.textOf(at) : stringValue(tree, at);
    if (name === null || !plainKey.test(name)) return null;
    keys.push({ name, at, value: tree.child(entry, 'value') });
  }
  return keys;
}

/** The keys of a variable that holds one dictionary and that no other code can fill. */
function keysOfVariable(bound: Bound, scope: Scope, returned: NodeId): WrittenKey[] | null {
  const { tree } = bound;
  const name = tree.textOf(returned);
  const [site, ...others] = scope.bindings.get(name)?.sites ?? [];
  if (site?.form !== 'assignment' || others.length > 0) return null;
  const keys = keysOf(tree, site.value);
  if (keys === null) return null;
  const end = tree.subtreeEnd(scope.node);
  for (let node = tree.child(scope.node, 'body'); node < end; node++) {
    if (tree.kind(node) !== 'identifier' || tree.field(node) === 'attribute' || node === site.name) continue;
    if (tree.textOf(node) !== name) continue;
    const added = addedKey(tree, node);
    if (added === 'unknown') return null;
    if (added !== null) keys.push(added);
  }
  return keys;
}

const reading = new Set(['get', 'items', 'keys', 'values', 'copy']);
const readers = new Set(['len', 'print', 'sorted', 'json.dumps']);

/** The key that a use of a dictionary adds to it; `unknown` where it may add any. */
function addedKey(tree: SyntaxTree, use: NodeId): WrittenKey | null | 'unknown' {
  const above = tree.parent(use);
  switch (tree.kind(above)) {
    case 'return_statement':
    case 'comparison_operator':
      return null;
    case 'attribute':
      return reading.has(tree.textOf(tree.child(above, 'attribute'))) ? null : 'unknown';
    case 'argument_list':
      return readers.has(tree.textOf(tree.child(tree.parent(above), 'function'))) ? null : 'unknown';
    case 'subscript':
      return writtenKey(tree, above, use);
    default:
      return 'unknown';
  }
}

/** `row['star'] = …` adds a key, and reading `row['star']` none. */
function writtenKey(tree: SyntaxTree, subscript: NodeId, value: NodeId): WrittenKey | null | 'unknown' {
  if (tree.field(value) !== 'value') return null;
  const assignment = tree.parent(subscript);
  if (tree.field(subscript) !== 'left' || !tree.kind(assignment).endsWith('assignment')) return null;
  const at = tree.child(subscript, 'subscript');
  const name = at === none ? null : stringValue(tree, at);
  if (name === null || !plainKey.test(name)) return 'unknown';
  return { name, at, value: tree.child(assignment, 'right') };
}
