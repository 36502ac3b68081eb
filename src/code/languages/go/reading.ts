import type { Parameter } from '#code/facts/facts.ts';
import {
  type Bound,
  type Called,
  type Defined,
  type LocalTypes,
  parameterOf,
  type Reading,
} from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { givenLiterals, wantedResults } from './expected.ts';
import { typeOf, typeOfNameless, typeOfPart } from './expressions.ts';
import { importOf } from './imports.ts';
import { isKeyOfStruct, namedMembers } from './literals.ts';
import { ownPackage, testPackage } from './resolve-go.ts';
import { returnsText } from './results.ts';
import { elementTypeOf, heldType, namedType, namesOf, visibleType } from './types.ts';
import { visible } from './visible.ts';

export const goReading: Reading = {
  module: 'namespace',
  define,
  scopes: new Set(
    'function_declaration method_declaration func_literal block if_statement for_statement'
      .split(' ')
      .concat('expression_switch_statement', 'type_switch_statement', 'select_statement')
      .concat('expression_case', 'type_case', 'default_case', 'communication_case', 'type_spec'),
  ),
  typeScopes: new Set(['type_spec']),
  // Parameters and the variables of the body are names of one scope.
  sharesScope: (tree, node) =>
    tree.kind(node) === 'block' && tree.field(node) === 'body' && isFunction(tree, tree.parent(node)),
  bind,
  valueType: typeOfNameless,
  given: givenLiterals,
  imports: (tree, node) => (tree.kind(node) === 'import_spec' ? [importOf(tree, node)] : []),
  implicitImports: (tree) => {
    const isTest = tree.textOf(tree.firstChild(tree.childOfKind(0, 'package_clause'))).endsWith('_test');
    return [{ local: null, imported: '**', from: isTest ? testPackage : ownPackage }];
  },
  names: new Set(['identifier', 'type_identifier', 'package_identifier']),
  use(tree, name) {
    const parent = tree.parent(name);
    const kind = tree.kind(parent);
    if (kind === 'package_clause' || kind === 'import_spec') return null;
    if (tree.field(name) === 'name' && /parameter_declaration$/.test(kind)) return null;
    if (isKeyOfStruct(tree, name)) return null;
    return tree.kind(name) === 'identifier' ? 'read' : 'type';
  },
  isSelf: () => false,
  access(tree, node) {
    if (tree.kind(node) === 'selector_expression')
      return { object: tree.child(node, 'operand'), member: tree.child(node, 'field') };
    if (tree.kind(node) === 'qualified_type')
      return { object: tree.child(node, 'package'), member: tree.child(node, 'name') };
    return null;
  },
  call,
  namedMembers,
  hasImplicitSelf: false,
  globals: visible,
};

function define(tree: SyntaxTree, node: NodeId): Defined[] {
  const conditional = isConstrained(tree);
  switch (tree.kind(node)) {
    case 'function_declaration':
      return [{ ...callable(tree, node, 'function'), conditional, ...manyAllowed(tree, node) }];
    case 'method_declaration': {
      const receiver = tree.children(tree.child(node, 'receiver'))[0] ?? none;
      const type = tree.child(receiver, 'type');
      const container = namedType(tree, type);
      // A result of `func (b *Box[T]) Get() T` may be a type parameter.
      const typeCount = receivedNames(tree, type).length;
      return container === null
        ? []
        : [{ ...callable(tree, node, 'method'), container, conditional, typeCount }];
    }
    case 'type_spec':
    case 'type_alias':
      return [{ ...typeDefinition(tree, node), conditional }];
    case 'const_spec':
    case 'var_spec':
      return namesOf(tree, node)
        .filter((name) => tree.textOf(name) !== '_')
        .map((name) => ({
          name,
          kind: 'variable',
          type: typeOfSpec(tree, node, () => undefined),
          conditional,
        }));
    case 'field_declaration':
      return isMember(tree, tree.parent(node)) ? fields(tree, node) : [];
    case 'method_elem':
      return isMember(tree, node) ? [callable(tree, node, 'method')] : [];
    default:
      return [];
  }
}

/** Build constraints: another file may define the same for other systems. */
function isConstrained(tree: SyntaxTree): boolean {
  const known = constrained.get(tree) ?? readConstraint(tree);
  constrained.set(tree, known);
  return known;
}

const constrained = new WeakMap<SyntaxTree, boolean>();

function readConstraint(tree: SyntaxTree): boolean {
  return /^\/\/(?:go:build|\s*\+build)\b/m.test(tree.text.slice(0, tree.start(tree.firstChild(0))));
}

function manyAllowed(tree: SyntaxTree, node: NodeId): Partial<Defined> {
  const name = tree.textOf(tree.child(node, 'name'));
  return name === 'init' || name === '_' ? { overload: true } : {};
}

function callable(tree: SyntaxTree, node: NodeId, kind: 'function' | 'method'): Defined {
  const ownTypes = typeNames(tree, node);
  const receiver = tree.children(tree.child(node, 'receiver'))[0] ?? none;
  const receivedTypes = receivedNames(tree, tree.child(receiver, 'type')).map((name) => tree.textOf(name));
  return {
    name: tree.child(node, 'name'),
    kind,
    parameters: parameters(tree, tree.child(node, 'parameters'), new Set([...ownTypes, ...receivedTypes])),
    returns: returnsText(tree, tree.child(node, 'result')),
    typeCount: ownTypes.length,
    body: tree.child(node, 'body'),
  };
}

/** The names of the type parameters that a type or function declares. */
function typeNames(tree: SyntaxTree, node: NodeId): string[] {
  return tree
    .children(tree.child(node, 'type_parameters'))
    .flatMap((each) => namesOf(tree, each).map((name) => tree.textOf(name)));
}

/** `T` of the receiver `b *Box[T]`. */
function receivedNames(tree: SyntaxTree, type: NodeId): NodeId[] {
  if (tree.kind(type) === 'pointer_type') return receivedNames(tree, tree.firstChild(type));
  if (tree.kind(type) !== 'generic_type') return [];
  return tree
    .children(tree.child(type, 'type_arguments'))
    .map((each) => (tree.kind(each) === 'type_elem' ? tree.firstChild(each) : each));
}

function parameters(tree: SyntaxTree, list: NodeId, typeParameters: ReadonlySet<string>): Parameter[] {
  return tree.children(list).flatMap((each, at) => {
    const type = tree.child(each, 'type');
    const isRest = tree.kind(each) === 'variadic_parameter_declaration';
    const names = namesOf(tree, each).map((name) => tree.textOf(name));
    return (names.length === 0 ? [`argument ${at + 1}`] : names).map((name) =>
      parameterOf(name, {
        kind: isRest ? 'rest' : 'positional-only',
        required: !isRest,
        type: tree.textOf(type),
        typeName: typeParameters.has(namedType(tree, type) ?? '') ? null : namedType(tree, type),
      }),
    );
  });
}

function typeDefinition(tree: SyntaxTree, node: NodeId): Defined {
  const name = tree.child(node, 'name');
  const type = tree.child(node, 'type');
  const names = typeNames(tree, node);
  const typeParameters = names.length === 0 ? null : { min: names.length, max: names.length, names };
  switch (tree.kind(type)) {
    case 'struct_type':
      return {
        name,
        kind: 'class',
        typeParameters,
        members: { open: false },
        bases: embedded(tree, type),
        implements: assertedInterfaces(tree, tree.textOf(name)),
      };
    case 'interface_type':
      return {
        name,
        kind: 'interface',
        typeParameters,
        members: { open: false },
        bases: tree
          .children(type)
          .filter((each) => tree.kind(each) === 'type_elem')
          .flatMap((each) => namedType(tree, tree.firstChild(each)) ?? []),
      };
    default:
      return { name, kind: 'type' };
  }
}

/** Embedded types, whose members belong to the struct. */
function embedded(tree: SyntaxTree, struct: NodeId): string[] {
  return tree
    .children(tree.firstChild(struct))
    .filter((each) => tree.kind(each) === 'field_declaration' && namesOf(tree, each).length === 0)
    .flatMap((each) => namedType(tree, tree.child(each, 'type')) ?? []);
}

/** `var _ Repo = (*PgRepo)(nil)`: an assertion that the type implements an interface. */
function assertedInterfaces(tree: SyntaxTree, name: string): string[] {
  const found = tree.text.matchAll(
    /^var\s+_\s+([A-Za-z_][\w.]*)\s*=\s*(?:\(\*(\w+)\)\(nil\)|&?(\w+)\{\}|new\((\w+)\))/gm,
  );
  return Array.from(found).flatMap(([, asked = '', a, b, c]) => ((a ?? b ?? c) === name ? [asked] : []));
}

function fields(tree: SyntaxTree, node: NodeId): Defined[] {
  const type = tree.child(node, 'type');
  const names = namesOf(tree, node);
  const held = namedType(tree, type);
  if (names.length > 0) {
    const isBlank = (name: NodeId) => tree.textOf(name) === '_';
    return names.map((name) => ({
      name,
      kind: 'field',
      type: heldType(tree, type),
      overload: isBlank(name),
    }));
  }
  return held === null ? [] : [{ name: type, kind: 'field', type: held, as: held.split('.').at(-1) ?? held }];
}

/** Part of a type definition, not of an inline type. */
function isMember(tree: SyntaxTree, node: NodeId): boolean {
  return /^type_(?:spec|alias)$/.test(tree.kind(tree.parent(tree.parent(node))));
}

function bind(tree: SyntaxTree, node: NodeId, local: LocalTypes): Bound[] {
  // A variable is visible after its declaration: the `user` on the right of `user := user.Owner` is another one.
  const from = tree.subtreeEnd(node);
  switch (tree.kind(node)) {
    case 'var_spec':
    case 'const_spec': {
      const type = typeOfSpec(tree, node, local);
      return namesOf(tree, node).map((name) => ({ name, type, from }));
    }
    case 'parameter_declaration':
    case 'variadic_parameter_declaration':
      return boundParameters(tree, node, local);
    case 'type_parameter_declaration':
      return namesOf(tree, node).map((name) => ({ name }));
    case 'short_var_declaration': {
      const values = tree.children(tree.child(node, 'right'));
      const left = tree.children(tree.child(node, 'left'));
      const typeAt = (at: number) =>
        values.length === left.length
          ? typeOf(tree, values[at] ?? none, local)
          : typeOfPart(tree, values[0] ?? none, at, local);
      return left.flatMap((name, at) =>
        tree.kind(name) === 'identifier' ? [{ name, type: typeAt(at), from }] : [],
      );
    }
    case 'range_clause': {
      const element = elementTypeOf(typeOf(tree, tree.child(node, 'right'), local));
      return tree
        .children(tree.child(node, 'left'))
        .map((name, at) => ({ name, type: at === 1 ? element : null, from }));
    }
    case 'receive_statement':
      return tree.children(tree.child(node, 'left')).map((name) => ({ name }));
    case 'type_switch_statement':
      return tree.children(tree.child(node, 'alias')).map((name) => ({ name }));
    default:
      return [];
  }
}

/** The parameters of a function, not those of a function type: `func(n Node) error` binds nothing. */
function boundParameters(tree: SyntaxTree, node: NodeId, local: LocalTypes): Bound[] {
  const list = tree.parent(node);
  if (!isFunction(tree, tree.parent(list))) return [];
  // `func (s *Store) load(model *model.User)`: the body sees the parameter, the types of parameters see the package.
  const from = Math.max(0, tree.child(tree.parent(list), 'body'));
  const type = tree.child(node, 'type');
  const isRest = tree.kind(node) === 'variadic_parameter_declaration';
  const held = visibleType(isRest ? namedType(tree, type) : heldType(tree, type), local);
  const received = tree.field(list) === 'receiver' ? receivedNames(tree, type) : [];
  return [
    ...namesOf(tree, node).map((name) => ({
      name,
      type: isRest && held !== null ? `${held}[]` : held,
      from,
    })),
    ...received.map((name) => ({ name })),
  ];
}

function isFunction(tree: SyntaxTree, node: NodeId): boolean {
  return /^(?:function|method)_declaration$|^func_literal$/.test(tree.kind(node));
}

function typeOfSpec(tree: SyntaxTree, node: NodeId, local: LocalTypes): string | null {
  const type = tree.child(node, 'type');
  if (type !== none) return visibleType(heldType(tree, type), local);
  const values = tree.children(tree.child(node, 'value'));
  return values.length === 1 && namesOf(tree, node).length === 1
    ? typeOf(tree, values[0] ?? none, local)
    : null;
}

function call(tree: SyntaxTree, node: NodeId): Called | null {
  if (tree.kind(node) === 'composite_literal') return literalOf(tree, node);
  if (tree.kind(node) !== 'call_expression') return null;
  const given = tree.children(tree.child(node, 'arguments'));
  const [only = none, ...others] = given;
  const isSpread = given.some((each) => tree.kind(each) === 'variadic_argument');
  // `f(g())` passes all results of g.
  const mayBeMany = others.length === 0 && tree.kind(only) === 'call_expression';
  const count = isSpread ? given.length - 1 : mayBeMany ? 0 : given.length;
  return {
    callee: tree.child(node, 'function'),
    kind: 'call',
    positional: count,
    spread: isSpread || mayBeMany,
    unpacked: wantedResults(tree, node),
  };
}

/** `Point{1, 2}` lists all fields of the struct. */
function literalOf(tree: SyntaxTree, node: NodeId): Called | null {
  const type = tree.child(node, 'type');
  if (tree.kind(type) !== 'type_identifier' && tree.kind(type) !== 'qualified_type') return null;
  const elements = tree.children(tree.child(node, 'body'));
  const isListed = elements.length > 0 && elements.every((each) => tree.kind(each) === 'literal_element');
  return isListed ? { callee: type, kind: 'new', positional: elements.length } : null;
}
