import type { Parameter } from '#code/facts/facts.ts';
import { plainResult } from '#code/languages/shared/results.ts';
import {
  type Bound,
  type Called,
  type Defined,
  type Imported,
  parameterOf,
  type Reading,
} from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { remembered } from '#lib/remembered.ts';
import { ownPackage } from './resolve-go.ts';

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
  bind,
  imports: (tree, node) => (tree.kind(node) === 'import_spec' ? [importOf(tree, node)] : []),
  implicitImports: () => [{ local: null, imported: '**', from: ownPackage }],
  names: new Set(['identifier', 'type_identifier', 'package_identifier']),
  use(tree, name) {
    const parent = tree.parent(name);
    const kind = tree.kind(parent);
    if (kind === 'package_clause' || kind === 'import_spec') return null;
    if (tree.field(name) === 'name' && /parameter_declaration$/.test(kind)) return null;
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
  globals: new Set(
    'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string'
      .split(' ')
      .concat('uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close'.split(' '))
      .concat('complex copy delete imag len make max min new panic print println real recover _'.split(' ')),
  ),
};

function define(tree: SyntaxTree, node: NodeId): Defined[] {
  const conditional = isConstrained(tree);
  switch (tree.kind(node)) {
    case 'function_declaration':
      return [{ ...callable(tree, node, 'function'), conditional, ...manyAllowed(tree, node) }];
    case 'method_declaration': {
      const receiver = tree.children(tree.child(node, 'receiver'))[0] ?? none;
      const container = namedType(tree, tree.child(receiver, 'type'));
      return container === null ? [] : [{ ...callable(tree, node, 'method'), container, conditional }];
    }
    case 'type_spec':
    case 'type_alias':
      return [{ ...typeDefinition(tree, node), conditional }];
    case 'const_spec':
    case 'var_spec':
      return namesOf(tree, node)
        .filter((name) => tree.textOf(name) !== '_')
        .map((name) => ({ name, kind: 'variable', type: typeOfSpec(tree, node), conditional }));
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
  const result = tree.child(node, 'result');
  return {
    name: tree.child(node, 'name'),
    kind,
    parameters: parameters(tree, tree.child(node, 'parameters')),
    returns: result === none ? null : tree.textOf(result),
    typeCount: tree.children(tree.child(node, 'type_parameters')).length,
    body: tree.child(node, 'body'),
  };
}

function parameters(tree: SyntaxTree, list: NodeId): Parameter[] {
  return tree.children(list).flatMap((each, at) => {
    const type = tree.child(each, 'type');
    const isRest = tree.kind(each) === 'variadic_parameter_declaration';
    const names = namesOf(tree, each).map((name) => tree.textOf(name));
    return (names.length === 0 ? [`argument ${at + 1}`] : names).map((name) =>
      parameterOf(name, {
        kind: isRest ? 'rest' : 'positional-only',
        required: !isRest,
        type: tree.textOf(type),
        typeName: namedType(tree, type),
      }),
    );
  });
}

function typeDefinition(tree: SyntaxTree, node: NodeId): Defined {
  const name = tree.child(node, 'name');
  const type = tree.child(node, 'type');
  switch (tree.kind(type)) {
    case 'struct_type':
      return {
        name,
        kind: 'class',
        members: { open: false },
        bases: embedded(tree, type),
        implements: assertedInterfaces(tree, tree.textOf(name)),
      };
    case 'interface_type':
      return {
        name,
        kind: 'interface',
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
  if (names.length > 0) return names.map((name) => ({ name, kind: 'field', type: held }));
  return held === null ? [] : [{ name: type, kind: 'field', type: held, as: held.split('.').at(-1) ?? held }];
}

/** Part of a type definition, not of an inline type. */
function isMember(tree: SyntaxTree, node: NodeId): boolean {
  return tree.kind(tree.parent(tree.parent(node))) === 'type_spec';
}

function bind(tree: SyntaxTree, node: NodeId): Bound[] {
  switch (tree.kind(node)) {
    case 'parameter_declaration':
    case 'var_spec':
    case 'const_spec': {
      const type = typeOfSpec(tree, node);
      return namesOf(tree, node).map((name) => ({ name, type }));
    }
    case 'variadic_parameter_declaration':
    case 'type_parameter_declaration':
      return namesOf(tree, node).map((name) => ({ name }));
    case 'short_var_declaration': {
      const values = tree.children(tree.child(node, 'right'));
      const left = tree.children(tree.child(node, 'left'));
      return left
        .filter((each) => tree.kind(each) === 'identifier')
        .map((name, at) => ({
          name,
          type:
            values.length === left.length
              ? typeOfValue(tree, values[at] ?? none)
              : name === left[0]
                ? typeOfResult(tree, values[0] ?? none)
                : null,
        }));
    }
    case 'range_clause':
    case 'receive_statement':
      return tree.children(tree.child(node, 'left')).map((name) => ({ name }));
    case 'type_switch_statement':
      return tree.children(tree.child(node, 'alias')).map((name) => ({ name }));
    default:
      return [];
  }
}

function typeOfSpec(tree: SyntaxTree, node: NodeId): string | null {
  const type = tree.child(node, 'type');
  if (type !== none) return namedType(tree, type);
  const values = tree.children(tree.child(node, 'value'));
  return values.length === 1 && namesOf(tree, node).length === 1
    ? typeOfValue(tree, values[0] ?? none)
    : null;
}

/** The type of `User{}` and `&User{}`. */
function typeOfValue(tree: SyntaxTree, value: NodeId): string | null {
  const inner = tree.kind(value) === 'unary_expression' ? tree.child(value, 'operand') : value;
  if (tree.kind(inner) === 'composite_literal') return namedType(tree, tree.child(inner, 'type'));
  return inner === value ? typeOfResult(tree, value) : null;
}

/** The first result of a function of the package: `New()`. */
function typeOfResult(tree: SyntaxTree, value: NodeId): string | null {
  const callee = tree.kind(value) === 'call_expression' ? tree.child(value, 'function') : none;
  const name = tree.kind(callee) === 'identifier' ? tree.textOf(callee) : null;
  if (name === null || goReading.globals.has(name)) return null;
  const known = variables.get(tree) ?? { assigned: leftSides(tree.text), byName: new Map<string, boolean>() };
  variables.set(tree, known);
  const isOne = remembered(
    known.byName,
    name,
    () => new RegExp(`\\b${name}\\b`).test(known.assigned) || isDeclared(tree.text, name),
  );
  return isOne ? null : `${name}.${plainResult}`;
}

/** Names that may hold another function than the one of the package. */
const variables = new WeakMap<
  SyntaxTree,
  { readonly assigned: string; readonly byName: Map<string, boolean> }
>();

/** Everything that stands before a `=` in its statement. */
function leftSides(text: string): string {
  return text
    .split(/[\n;(){}]/)
    .map((part) => part.slice(0, Math.max(0, part.lastIndexOf('='))))
    .join('\n');
}

/** `var New`, `(New func() T)`, `(New, Last func() T)`. */
function isDeclared(text: string, name: string): boolean {
  return new RegExp(`\\bvar ${name}\\b|[(,]\\s*${name}(?:\\s*,|\\s+[*<]?[\\w\\[(-])`).test(text);
}

function namedType(tree: SyntaxTree, type: NodeId): string | null {
  switch (tree.kind(type)) {
    case 'type_identifier':
      return tree.textOf(type);
    case 'qualified_type':
      return `${tree.textOf(tree.child(type, 'package'))}.${tree.textOf(tree.child(type, 'name'))}`;
    case 'pointer_type':
      return namedType(tree, tree.firstChild(type));
    case 'generic_type':
      return namedType(tree, tree.child(type, 'type'));
    default:
      return null;
  }
}

function namesOf(tree: SyntaxTree, node: NodeId): NodeId[] {
  return tree.children(node).filter((child) => tree.field(child) === 'name');
}

function importOf(tree: SyntaxTree, node: NodeId): Imported {
  const from = tree.textOf(tree.child(node, 'path')).slice(1, -1);
  const name = tree.child(node, 'name');
  if (tree.kind(name) === 'dot') return { local: null, imported: '**', from };
  if (tree.kind(name) === 'blank_identifier') return { local: null, imported: '*', from };
  return { local: name === none ? packageName(from) : tree.textOf(name), imported: '*', from };
}

/** The default name of a package: `gopkg.in/yaml.v3` is `yaml`. */
function packageName(from: string): string {
  const parts = from.split('/');
  const last = /^v\d+$/.test(parts.at(-1) ?? '') ? parts.at(-2) : parts.at(-1);
  return (last ?? from).replace(/\.v\d+$/, '').replace(/^go-|-go$/, '');
}

function call(tree: SyntaxTree, node: NodeId): Called | null {
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
  };
}

function namedMembers(tree: SyntaxTree, node: NodeId): { type: string; member: NodeId }[] {
  if (tree.kind(node) !== 'composite_literal') return [];
  const type = namedType(tree, tree.child(node, 'type'));
  if (type === null) return [];
  return tree.children(tree.child(node, 'body')).flatMap((element) => {
    const key = tree.kind(element) === 'keyed_element' ? tree.firstChild(tree.child(element, 'key')) : none;
    return tree.kind(key) === 'identifier' ? [{ type, member: key }] : [];
  });
}
