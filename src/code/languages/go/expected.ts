import type { TypeName } from '#code/facts/facts.ts';
import { heldValue, takenArgument } from '#code/languages/shared/results.ts';
import type { Given, LocalTypes } from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { calleeOf, mayTakeReceiver, typeOf } from './expressions.ts';
import { elementNode, namedType, namesOf, visibleType } from './types.ts';

/** Literals of a type of the package that a node gives to something with a type of its own: `return &PgRepo{}` in a function that returns a Repo. */
export function givenLiterals(tree: SyntaxTree, node: NodeId, local: LocalTypes): Given[] {
  return pairs(tree, node, local).flatMap(({ value, to }) => {
    const type = to === null ? null : visibleType(literalType(tree, value), local);
    return to === null || type === null || type.includes('.') ? [] : [{ type, to }];
  });
}

interface Pair {
  readonly value: NodeId;
  readonly to: TypeName | null;
}

function pairs(tree: SyntaxTree, node: NodeId, local: LocalTypes): Pair[] {
  switch (tree.kind(node)) {
    case 'return_statement': {
      const values = tree.children(tree.firstChild(node));
      const types = resultTypes(tree, functionAround(tree, node));
      if (values.length !== types.length) return [];
      return values.map((value, at) => ({ value, to: written(tree, types[at] ?? none, local) }));
    }
    case 'var_spec': {
      const to = written(tree, tree.child(node, 'type'), local);
      return tree.children(tree.child(node, 'value')).map((value) => ({ value, to }));
    }
    case 'assignment_statement': {
      const left = tree.children(tree.child(node, 'left'));
      const values = tree.children(tree.child(node, 'right'));
      if (values.length !== left.length) return [];
      return values.map((value, at) => ({ value, to: typeOf(tree, left[at] ?? none, local) }));
    }
    case 'call_expression': {
      const callee = mayTakeReceiver(tree, node, local) ? null : calleeOf(tree, node, local);
      const values = tree.children(tree.child(node, 'arguments'));
      return values.map((value, at) => ({ value, to: callee && `${callee}.${takenArgument(at)}` }));
    }
    case 'composite_literal':
      return tree.children(tree.child(node, 'body')).map((element) => partOf(tree, node, element, local));
    default:
      return [];
  }
}

/** An element of a list, or the value of a field. */
function partOf(tree: SyntaxTree, literal: NodeId, element: NodeId, local: LocalTypes): Pair {
  const type = tree.child(literal, 'type');
  const isKeyed = tree.kind(element) === 'keyed_element';
  const value = tree.firstChild(isKeyed ? tree.child(element, 'value') : element);
  const inner = elementNode(tree, type);
  if (inner !== none) return { value, to: written(tree, inner, local) };
  const owner = visibleType(namedType(tree, type), local);
  const key = isKeyed ? tree.firstChild(tree.child(element, 'key')) : none;
  const isField = owner !== null && tree.kind(key) === 'identifier';
  return { value, to: isField ? `${owner}.${tree.textOf(key)}.${heldValue}` : null };
}

function written(tree: SyntaxTree, type: NodeId, local: LocalTypes): TypeName | null {
  return tree.kind(type) === 'pointer_type' ? null : visibleType(namedType(tree, type), local);
}

/** `User` for `User{}`, `&User{}` and `new(User)`. */
function literalType(tree: SyntaxTree, value: NodeId): TypeName | null {
  if (tree.kind(value) === 'unary_expression' && tree.text[tree.start(value)] === '&')
    return literalType(tree, tree.child(value, 'operand'));
  if (tree.kind(value) === 'composite_literal') return namedType(tree, tree.child(value, 'type'));
  if (tree.kind(value) !== 'call_expression') return null;
  const isNew = tree.textOf(tree.child(value, 'function')) === 'new';
  return isNew ? namedType(tree, tree.firstChild(tree.child(value, 'arguments'))) : null;
}

/** How many values the code around a call takes from it; null when any number will do. */
export function wantedResults(tree: SyntaxTree, call: NodeId): number | null {
  const parent = tree.parent(call);
  switch (tree.kind(parent)) {
    case 'expression_list':
      return wantedOfList(tree, parent);
    case 'selector_expression':
    case 'index_expression':
    case 'slice_expression':
    case 'binary_expression':
    case 'unary_expression':
    case 'type_assertion_expression':
    case 'keyed_element':
    case 'literal_element':
    case 'range_clause':
      return 1;
    case 'argument_list':
      return tree.children(parent).length > 1 ? 1 : null;
    default:
      return null;
  }
}

function wantedOfList(tree: SyntaxTree, list: NodeId): number | null {
  if (tree.children(list).length > 1) return 1;
  const statement = tree.parent(list);
  switch (tree.kind(statement)) {
    case 'short_var_declaration':
    case 'assignment_statement':
      return tree.field(list) === 'right' ? tree.children(tree.child(statement, 'left')).length : 1;
    case 'var_spec':
    case 'const_spec':
      return namesOf(tree, statement).length;
    case 'return_statement': {
      const around = functionAround(tree, statement);
      return around === none ? null : resultTypes(tree, around).length;
    }
    default:
      return null;
  }
}

function functionAround(tree: SyntaxTree, node: NodeId): NodeId {
  let around = tree.parent(node);
  while (around !== none && !/^(?:function|method)_declaration$|^func_literal$/.test(tree.kind(around)))
    around = tree.parent(around);
  return around;
}

/** The type of each result: twice the same node for `(first, last *User)`. */
function resultTypes(tree: SyntaxTree, declaration: NodeId): NodeId[] {
  const result = tree.child(declaration, 'result');
  if (result === none) return [];
  if (tree.kind(result) !== 'parameter_list') return [result];
  return tree.children(result).flatMap((each) => {
    const type = tree.child(each, 'type');
    return Array.from({ length: Math.max(1, namesOf(tree, each).length) }, () => type);
  });
}
