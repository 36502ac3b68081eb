import type { Parameter } from '#code/facts/facts.ts';
import { type ObjectSyntax, typeOfObject } from '#code/languages/tree-sitter/object-types.ts';
import {
  type Bound,
  type Called,
  type Defined,
  type Imported,
  type LocalTypes,
  parameterOf,
  type Reading,
} from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { ownNamespace } from './resolve-csharp.ts';
import { visible } from './visible.ts';

const typeKinds: Readonly<Record<string, 'class' | 'interface' | 'enum'>> = {
  class_declaration: 'class',
  struct_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
};

const blocks =
  'method_declaration constructor_declaration property_declaration local_function_statement block lambda_expression';
const statements = 'for_statement foreach_statement catch_clause using_statement switch_section';

export const csharpReading: Reading = {
  module: 'namespace',
  define,
  scopes: new Set([...Object.keys(typeKinds), ...blocks.split(' '), ...statements.split(' ')]),
  typeScopes: new Set(Object.keys(typeKinds)),
  bind,
  imports: (tree, node) => (tree.kind(node) === 'using_directive' ? importOf(tree, node) : []),
  implicitImports: () => [{ local: null, imported: '**', from: ownNamespace }],
  names: new Set(['identifier']),
  use,
  isSelf: (tree, node) => tree.kind(node) === 'this',
  access(tree, node) {
    const kind = tree.kind(node);
    if (kind === 'member_access_expression')
      return { object: tree.child(node, 'expression'), member: plainName(tree, tree.child(node, 'name')) };
    if (kind === 'qualified_name')
      return { object: tree.child(node, 'qualifier'), member: tree.child(node, 'name') };
    // `a?.B`: the name is in a separate node.
    if (kind === 'conditional_access_expression') {
      const [, bound = none] = tree.children(node);
      return { object: tree.child(node, 'condition'), member: tree.child(bound, 'name') };
    }
    return null;
  },
  call,
  valueType: (tree, node, local) =>
    tree.kind(node) === 'invocation_expression' ? typeOfObject(syntax, tree, node, local) : null,
  namedMembers(tree, node) {
    const type = tree.kind(node) === 'object_creation_expression' ? tree.child(node, 'type') : none;
    if (tree.kind(type) !== 'identifier') return [];
    return tree
      .children(tree.child(node, 'initializer'))
      .filter((each) => tree.kind(each) === 'assignment_expression')
      .map((each) => tree.child(each, 'left'))
      .filter((left) => tree.kind(left) === 'identifier')
      .map((member) => ({ type: tree.textOf(type), member }));
  },
  hasImplicitSelf: true,
  globals: visible,
};

function define(tree: SyntaxTree, node: NodeId): Defined[] {
  const kind = typeKinds[tree.kind(node)];
  if (kind) return [typeDefinition(tree, node, kind)];
  const is = modifiersOf(tree, node);
  const common = {
    static: is.has('static') || is.has('const'),
    abstract: is.has('abstract'),
    ...(is.has('private') && !is.has('protected') ? { hidden: true as const } : {}),
  };
  switch (tree.kind(node)) {
    case 'method_declaration': {
      const isOfInterface = tree.kind(tree.parent(tree.parent(node))) === 'interface_declaration';
      const body = tree.child(node, 'body');
      return [
        ...extension(tree, node),
        {
          ...callable(tree, node),
          ...common,
          kind: 'method',
          name: tree.child(node, 'name'),
          returns: tree.textOf(tree.child(node, 'returns')),
          // A class need not implement a member with a default implementation.
          optional: isOfInterface && body !== none,
          overrides: is.has('override'),
        },
      ];
    }
    case 'constructor_declaration':
      return [
        { ...callable(tree, node), kind: 'constructor', name: tree.child(node, 'name'), as: 'constructor' },
      ];
    case 'property_declaration':
      return [
        {
          ...common,
          name: tree.child(node, 'name'),
          kind: 'field',
          type: namedType(tree, tree.child(node, 'type')),
          overrides: is.has('override'),
        },
      ];
    case 'field_declaration':
    case 'event_field_declaration': {
      const list = tree.childOfKind(node, 'variable_declaration');
      const type = namedType(tree, tree.child(list, 'type'));
      return declarators(tree, list).map((each) => ({
        ...common,
        name: tree.child(each, 'name'),
        kind: 'field',
        type,
      }));
    }
    case 'parameter':
      return tree.kind(tree.parent(tree.parent(node))) === 'record_declaration'
        ? [{ name: tree.child(node, 'name'), kind: 'field', type: namedType(tree, tree.child(node, 'type')) }]
        : [];
    case 'enum_member_declaration':
      return [{ name: tree.child(node, 'name'), kind: 'enum-member', static: true }];
    default:
      return [];
  }
}

/** `static int Total(this Order order)` is also a method of `Order`. */
function extension(tree: SyntaxTree, node: NodeId): Defined[] {
  const { parameters, body } = callable(tree, node);
  const [extended, ...rest] = parameters;
  const written = tree.textOf(tree.firstChild(tree.child(node, 'parameters')));
  if (!extended?.typeName || !/^this\s/.test(written)) return [];
  return [
    { name: tree.child(node, 'name'), kind: 'method', container: extended.typeName, parameters: rest, body },
  ];
}

function typeDefinition(tree: SyntaxTree, node: NodeId, kind: 'class' | 'interface' | 'enum'): Defined {
  const is = modifiersOf(tree, node);
  const above = tree
    .children(tree.childOfKind(node, 'base_list'))
    .flatMap((each) => namedType(tree, each) ?? []);
  // By the convention of the language: `IRepo` is an interface.
  const isInterface = (name: string) => kind === 'class' && /^I[A-Z]/.test(name);
  // The rest of it is in another file, or generated.
  const isPartial = is.has('partial');
  return {
    name: tree.child(node, 'name'),
    kind,
    bases: above.filter((name) => !isInterface(name)),
    implements: above.filter(isInterface),
    members: { open: kind === 'enum' || isPartial },
    abstract: is.has('abstract'),
    conditional: isPartial,
    body: tree.child(node, 'body'),
  };
}

function modifiersOf(tree: SyntaxTree, node: NodeId): ReadonlySet<string> {
  const found = tree.children(node).filter((each) => tree.kind(each) === 'modifier');
  return new Set(found.map((each) => tree.textOf(each)));
}

function callable(tree: SyntaxTree, node: NodeId): { parameters: Parameter[]; body: NodeId } {
  const list = tree.child(node, 'parameters');
  const plain = tree
    .children(list)
    .filter((each) => tree.kind(each) === 'parameter')
    .map((each) => {
      const type = tree.child(each, 'type');
      const name = tree.child(each, 'name');
      const value = tree.nextSibling(name);
      return parameterOf(tree.textOf(name), {
        required: value === none,
        default: value === none ? null : tree.textOf(value).slice(0, 80),
        type: tree.textOf(type),
        typeName: namedType(tree, type),
      });
    });
  // The grammar does not treat `params int[] rest` as a parameter.
  const rest = tree.child(list, 'name');
  return {
    parameters:
      rest === none ? plain : [...plain, parameterOf(tree.textOf(rest), { kind: 'rest', required: false })],
    body: tree.child(node, 'body'),
  };
}

function declarators(tree: SyntaxTree, list: NodeId): NodeId[] {
  return tree.children(list).filter((each) => tree.kind(each) === 'variable_declarator');
}

function namedType(tree: SyntaxTree, type: NodeId): string | null {
  switch (tree.kind(type)) {
    case 'identifier':
      return tree.textOf(type);
    case 'generic_name':
      return tree.textOf(tree.firstChild(type));
    case 'nullable_type':
    case 'primary_constructor_base_type':
      return namedType(tree, tree.firstChild(type));
    default:
      return null;
  }
}

/** `Make<int>` is `Make`. */
function plainName(tree: SyntaxTree, name: NodeId): NodeId {
  return tree.kind(name) === 'generic_name' ? tree.firstChild(name) : name;
}

const syntax: ObjectSyntax = {
  member: (tree, node) =>
    tree.kind(node) === 'member_access_expression'
      ? { object: tree.child(node, 'expression'), name: tree.textOf(tree.child(node, 'name')) }
      : null,
  call(tree, node) {
    const callee = tree.kind(node) === 'invocation_expression' ? tree.child(node, 'function') : none;
    if (tree.kind(callee) === 'identifier') return { object: none, name: tree.textOf(callee) };
    return callee === none ? null : this.member(tree, callee);
  },
  made: (tree, node) =>
    tree.kind(node) === 'object_creation_expression' ? namedType(tree, tree.child(node, 'type')) : null,
  isSelf: (tree, node) => tree.kind(node) === 'this',
  classes: new Set(Object.keys(typeKinds)),
};

function bind(tree: SyntaxTree, node: NodeId, local: LocalTypes): Bound[] {
  const type = namedType(tree, tree.child(node, 'type'));
  switch (tree.kind(node)) {
    case 'parameter':
    case 'declaration_pattern':
    case 'declaration_expression':
    case 'catch_declaration':
      return named(tree.child(node, 'name'), type);
    case 'parameter_list':
      return named(tree.child(node, 'name'), null);
    case 'type_parameter':
      return named(tree.child(node, 'name'), null);
    case 'foreach_statement':
      return named(tree.child(node, 'left'), type);
    case 'implicit_parameter':
      return [{ name: node }];
    case 'variable_declaration':
      return tree.kind(tree.parent(node)).endsWith('field_declaration')
        ? []
        : declarators(tree, node).flatMap((each) => {
            const name = tree.child(each, 'name');
            return named(name, type ?? typeOfObject(syntax, tree, tree.nextSibling(name), local));
          });
    default:
      return [];
  }
}

function named(name: NodeId, type: string | null): Bound[] {
  return name === none ? [] : [{ name, type }];
}

function importOf(tree: SyntaxTree, node: NodeId): Imported[] {
  const text = tree.textOf(node);
  const alias = tree.child(node, 'name');
  const path = tree.children(node).findLast((each) => each !== alias) ?? none;
  const from = tree.textOf(path).replace(/\s+/g, '');
  // Members of a class are not followed through an import.
  if (from === '' || /^(?:global\s+)?using\s+static\s/.test(text)) return [];
  if (alias === none) return [{ local: null, imported: '**', from }];
  const dot = from.lastIndexOf('.');
  return dot < 0
    ? []
    : [{ local: tree.textOf(alias), imported: from.slice(dot + 1), from: from.slice(0, dot) }];
}

const notUses = new Set(
  'using_directive namespace_declaration file_scoped_namespace_declaration name_colon attribute labeled_statement'
    .split(' ')
    .concat(
      'goto_statement',
      'type_parameter_constraints_clause',
      'member_binding_expression',
      'name_equals',
    ),
);
const typePlaces = new Set(
  'base_list type_argument_list nullable_type array_type generic_name typeof_expression'.split(' '),
);

function use(tree: SyntaxTree, name: NodeId): 'read' | 'type' | null {
  const parent = tree.parent(name);
  const kind = tree.kind(parent);
  const field = tree.field(name);
  if (notUses.has(kind) || isInName(tree, parent)) return null;
  if (kind === 'argument' && field === 'name') return null;
  if (kind === 'member_access_expression' && field === 'name') return null;
  if (kind === 'generic_name' && isMember(tree, parent)) return null;
  return field === 'type' || field === 'returns' || typePlaces.has(kind) ? 'type' : 'read';
}

/** Part of a dotted name after `using` or `namespace`: `Shop.Store`. */
function isInName(tree: SyntaxTree, node: NodeId): boolean {
  let top = node;
  while (tree.kind(top) === 'qualified_name') top = tree.parent(top);
  return top !== node && notUses.has(tree.kind(top));
}

function isMember(tree: SyntaxTree, name: NodeId): boolean {
  return tree.kind(tree.parent(name)) === 'member_access_expression' && tree.field(name) === 'name';
}

function call(tree: SyntaxTree, node: NodeId): Called | null {
  switch (tree.kind(node)) {
    case 'invocation_expression': {
      const callee = plainName(tree, tree.child(node, 'function'));
      return { callee, kind: 'call', ...given(tree, node) };
    }
    case 'constructor_initializer':
      return /^:?\s*base\b/.test(tree.textOf(node))
        ? { callee: baseClassOf(tree, node), kind: 'new', ...given(tree, node) }
        : null;
    case 'object_creation_expression': {
      const type = plainName(tree, tree.child(node, 'type'));
      // `new User { … }` calls the constructor without arguments.
      return { callee: type, kind: 'new', ...given(tree, node) };
    }
    default:
      return null;
  }
}

/** The first name after the colon of the class: what `: base(…)` constructs. */
function baseClassOf(tree: SyntaxTree, node: NodeId): NodeId {
  let around = tree.parent(node);
  while (around !== none && tree.kind(around) !== 'class_declaration') around = tree.parent(around);
  const list = around === none ? none : tree.childOfKind(around, 'base_list');
  return list === none ? none : plainName(tree, tree.firstChild(list));
}

function given(tree: SyntaxTree, node: NodeId): Omit<Called, 'callee' | 'kind'> {
  const written = tree.child(node, 'arguments');
  const all = tree.children(written === none ? tree.childOfKind(node, 'argument_list') : written);
  const keywords = all.flatMap((each) => {
    const name = tree.child(each, 'name');
    return name === none ? [] : [tree.textOf(name)];
  });
  return { positional: all.length - keywords.length, keywords };
}
