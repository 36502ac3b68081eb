import type { TypeName } from '#code/facts/facts.ts';
import {
  awaitedResult,
  elementOf,
  elementType,
  heldValue,
  plainResult,
  unwrappedAwaited,
  unwrappedResult,
} from '#code/languages/shared/results.ts';
import type { LocalTypes } from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { selfType, valueType } from './types.ts';

/** Longer chains are not followed: each step reads the ones before it again. */
const longestChain = 8;

/** Methods that give a copy or a view of the same type. */
const same = new Set(['clone', 'to_owned']);
/** Methods of what holds values that give another holder of them: `users.iter()`, `users.first()`. */
const holders = new Set(
  'iter iter_mut into_iter as_ref as_mut as_deref as_slice to_vec cloned copied rev skip take'
    .split(' ')
    .concat('filter first last first_mut last_mut next peekable pop by_ref ok'.split(' ')),
);
const opened = new Set(['unwrap', 'expect', 'unwrap_or_default']);

/** The type of an expression, as far as names tell it: `Store.find.()` for `store.find(1)`. */
export function typeOfValue(
  tree: SyntaxTree,
  value: NodeId,
  local: LocalTypes,
  depth = longestChain,
): TypeName | null {
  if (depth === 0) return null;
  const of = (node: NodeId) => typeOfValue(tree, node, local, depth - 1);
  switch (tree.kind(value)) {
    case 'identifier':
      return local(tree.textOf(value)) ?? null;
    case 'self':
      return selfType(tree, value);
    case 'reference_expression':
      return of(tree.child(value, 'value'));
    case 'parenthesized_expression':
      return of(tree.firstChild(value));
    case 'struct_expression':
      return builtType(tree, value);
    case 'try_expression':
      return insideOf(of(tree.firstChild(value)));
    case 'await_expression':
      return awaited(of(tree.firstChild(value)));
    case 'index_expression':
      return tree.kind(tree.children(value)[1] ?? none) === 'range_expression'
        ? null
        : insideOf(of(tree.firstChild(value)));
    case 'field_expression': {
      const field = tree.child(value, 'field');
      return tree.kind(field) === 'field_identifier'
        ? memberOf(of(tree.child(value, 'value')), tree.textOf(field), heldValue)
        : null;
    }
    case 'call_expression':
      return resultOf(tree, value, local, of);
    default:
      return null;
  }
}

function builtType(tree: SyntaxTree, value: NodeId): TypeName | null {
  const name = tree.child(value, 'name');
  const path = tree.child(name, 'path');
  // `Shape::Circle { radius: 1 }` is a `Shape`.
  const isVariant = tree.kind(name) === 'scoped_type_identifier' && /^\p{Lu}/u.test(tree.textOf(path));
  return isVariant ? valueType(tree, path) : valueType(tree, name);
}

function resultOf(
  tree: SyntaxTree,
  call: NodeId,
  local: LocalTypes,
  of: (node: NodeId) => TypeName | null,
): TypeName | null {
  const written = tree.child(call, 'function');
  const callee = tree.kind(written) === 'generic_function' ? tree.child(written, 'function') : written;
  const name = tree.textOf(callee);
  switch (tree.kind(callee)) {
    case 'identifier':
      // A closure, or a variant that holds values: `Some(user)`.
      return local(name) === undefined && /^[\p{Ll}_]/u.test(name) ? `${name}.${plainResult}` : null;
    case 'scoped_identifier':
      return pathResult(tree, callee);
    case 'field_expression': {
      const object = of(tree.child(callee, 'value'));
      return methodResult(object, tree.textOf(tree.child(callee, 'field')));
    }
    default:
      return null;
  }
}

/** `Store::new()`, `Self::new()`, `store::open()`. */
function pathResult(tree: SyntaxTree, callee: NodeId): TypeName | null {
  const name = tree.textOf(tree.child(callee, 'name'));
  const path = tree.textOf(tree.child(callee, 'path'));
  const owner = path === 'Self' ? selfType(tree, callee) : path.replaceAll('::', '.');
  const isPlain = /^[\w.]+$/.test(owner ?? '') && /^[\p{Ll}_]/u.test(name);
  return isPlain ? `${owner}.${name}.${plainResult}` : null;
}

function methodResult(object: TypeName | null, name: string): TypeName | null {
  if (object === null) return null;
  if (same.has(name)) return object;
  if (opened.has(name)) return insideOf(object);
  const inside = insideOf(object);
  if (holders.has(name) && inside !== null) return `${inside}${elementOf}`;
  return memberOf(object, name, plainResult);
}

function memberOf(object: TypeName | null, name: string, as: string): TypeName | null {
  return object === null || elementType(object) !== null ? null : `${object}.${name}.${as}`;
}

const insides = new Map([
  [plainResult, unwrappedResult],
  [awaitedResult, unwrappedAwaited],
  [heldValue, elementOf],
]);

/** What a value holds: `User` for `User[]`, `find.(?)` for `find.()`, `Shop.users.[]` for `Shop.users.(held)`. */
export function insideOf(type: TypeName | null): TypeName | null {
  if (type === null) return null;
  const element = elementType(type);
  if (element !== null) return element;
  const dot = type.lastIndexOf('.');
  const last = insides.get(type.slice(dot + 1));
  return last === undefined ? null : `${type.slice(0, dot)}.${last}`;
}

function awaited(type: TypeName | null): TypeName | null {
  return type?.endsWith(`.${plainResult}`) ? `${type.slice(0, -plainResult.length)}${awaitedResult}` : null;
}

/** The type of the one name that a pattern binds to a value or to what it holds: `user`, `Some(user)`, `&user`. */
export function typeInPattern(
  tree: SyntaxTree,
  pattern: NodeId,
  value: TypeName | null,
): { name: NodeId; type: TypeName | null } | null {
  switch (tree.kind(pattern)) {
    case 'identifier':
      return { name: pattern, type: value };
    case 'match_pattern':
      return tree.child(pattern, 'condition') === none
        ? typeInPattern(tree, tree.firstChild(pattern), value)
        : null;
    case 'mut_pattern':
    case 'ref_pattern':
    case 'reference_pattern':
      return typeInPattern(tree, tree.children(pattern).at(-1) ?? none, value);
    case 'tuple_struct_pattern': {
      const [, inner = none, ...others] = tree.children(pattern);
      const holds = /^(?:Some|Ok)$/.test(tree.textOf(tree.child(pattern, 'type')));
      return holds && others.length === 0 ? typeInPattern(tree, inner, insideOf(value)) : null;
    }
    default:
      return null;
  }
}
