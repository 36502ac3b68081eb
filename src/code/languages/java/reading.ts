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
import { ownPackage } from './resolve-java.ts';
import { visible } from './visible.ts';

const typeKinds: Readonly<Record<string, 'class' | 'interface' | 'enum'>> = {
  class_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
};

export const javaReading: Reading = {
  module: 'namespace',
  define,
  scopes: new Set(
    [
      ...Object.keys(typeKinds),
      'method_declaration',
      'constructor_declaration',
      'block',
      'lambda_expression',
    ].concat(
      'for_statement',
      'enhanced_for_statement',
      'catch_clause',
      'try_with_resources_statement',
      'switch_block_statement_group',
      'switch_rule',
    ),
  ),
  typeScopes: new Set(Object.keys(typeKinds)),
  bind,
  imports: (tree, node) => (tree.kind(node) === 'import_declaration' ? importOf(tree, node) : []),
  implicitImports: () => [{ local: null, imported: '**', from: ownPackage }],
  names: new Set(['identifier', 'type_identifier']),
  use,
  isSelf: (tree, node) => tree.kind(node) === 'this',
  access(tree, node) {
    switch (tree.kind(node)) {
      case 'field_access':
        return { object: tree.child(node, 'object'), member: tree.child(node, 'field') };
      case 'method_invocation':
        return { object: tree.child(node, 'object'), member: tree.child(node, 'name') };
      // Order::total is a method of Order.
      case 'method_reference':
      case 'scoped_type_identifier': {
        const [object = none, member = none] = tree.children(node);
        return { object, member };
      }
      default:
        return null;
    }
  },
  call,
  valueType: (tree, node, local) =>
    tree.kind(node) === 'method_invocation' ? typeOfObject(syntax, tree, node, local) : null,
  hasImplicitSelf: true,
  globals: visible,
};

function define(tree: SyntaxTree, node: NodeId): Defined[] {
  const kind = typeKinds[tree.kind(node)];
  if (kind)
    return [
      typeDefinition(tree, node, kind),
      ...constructorOfRecord(tree, node),
      ...membersOfEnum(tree, node),
    ];
  const modifiers = modifiersOf(tree, node);
  const isStatic = /\bstatic\b/.test(modifiers);
  switch (tree.kind(node)) {
    case 'method_declaration': {
      const body = tree.child(node, 'body');
      const isOfInterface = tree.kind(tree.parent(node)) === 'interface_body';
      return [
        {
          ...callable(tree, node),
          kind: 'method',
          name: tree.child(node, 'name'),
          returns: tree.textOf(tree.child(node, 'type')),
          ...hiddenBy(modifiers),
          static: isStatic,
          abstract: /\babstract\b/.test(modifiers),
          // A class need not implement a member with a default implementation.
          optional: isOfInterface && body !== none,
          overrides: /@Override\b/.test(modifiers),
        },
      ];
    }
    case 'constructor_declaration':
      return [
        { ...callable(tree, node), kind: 'constructor', name: tree.child(node, 'name'), as: 'constructor' },
      ];
    case 'field_declaration':
      return tree
        .children(node)
        .filter((each) => tree.kind(each) === 'variable_declarator')
        .map((each) => ({
          name: tree.child(each, 'name'),
          kind: 'field',
          type: namedType(tree, tree.child(node, 'type')),
          static: isStatic,
          ...hiddenBy(modifiers),
        }));
    case 'formal_parameter':
      return tree.kind(tree.parent(tree.parent(node))) === 'record_declaration'
        ? [{ name: tree.child(node, 'name'), kind: 'field', type: namedType(tree, tree.child(node, 'type')) }]
        : [];
    case 'enum_constant':
      return [{ name: tree.child(node, 'name'), kind: 'enum-member', static: true }];
    default:
      return [];
  }
}

function typeDefinition(tree: SyntaxTree, node: NodeId, kind: 'class' | 'interface' | 'enum'): Defined {
  const named = (field: string) => typesBelow(tree, tree.child(node, field));
  const extended = tree.children(node).filter((each) => tree.kind(each) === 'extends_interfaces');
  return {
    name: tree.child(node, 'name'),
    kind,
    bases: [...named('superclass'), ...extended.flatMap((each) => typesBelow(tree, each))],
    implements: named('interfaces'),
    // Lombok and others generate members that the source does not show.
    members: { open: /\bimport\s+lombok\b/.test(tree.text) },
    abstract: /\babstract\b/.test(modifiersOf(tree, node)),
    decorators: annotations(tree, node),
    exported: /\bpublic\b/.test(modifiersOf(tree, node)),
    body: tree.child(node, 'body'),
  };
}

const ofEveryEnum = 'values valueOf name ordinal compareTo getDeclaringClass describeConstable'.split(' ');

/** What every enum has without declaring it. */
function membersOfEnum(tree: SyntaxTree, node: NodeId): Defined[] {
  if (tree.kind(node) !== 'enum_declaration' || tree.kind(tree.parent(node)) !== 'program') return [];
  const name = tree.child(node, 'name');
  return ofEveryEnum.map((as) => ({
    name,
    as,
    kind: 'field',
    container: tree.textOf(name),
    static: /^value/.test(as),
  }));
}

function hiddenBy(modifiers: string): { hidden?: true } {
  return /\bprivate\b/.test(modifiers) ? { hidden: true } : {};
}

function modifiersOf(tree: SyntaxTree, node: NodeId): string {
  return tree.textOf(tree.childOfKind(node, 'modifiers'));
}

function annotations(tree: SyntaxTree, node: NodeId): string[] {
  return tree
    .children(tree.childOfKind(node, 'modifiers'))
    .filter((each) => /annotation$/.test(tree.kind(each)))
    .map((each) => tree.textOf(tree.child(each, 'name')));
}

/**
 * `record Order(String id, String note)` is constructed with both; a record with an explicit constructor may be constructed in other ways.
 */
function constructorOfRecord(tree: SyntaxTree, node: NodeId): Defined[] {
  const written = /^(?:compact_)?constructor_declaration$/;
  const members = tree.children(tree.child(node, 'body'));
  if (tree.kind(node) !== 'record_declaration' || tree.kind(tree.parent(node)) !== 'program') return [];
  if (members.some((each) => written.test(tree.kind(each)))) return [];
  const name = tree.child(node, 'name');
  const { parameters } = callable(tree, node);
  return [{ name, kind: 'constructor', as: 'constructor', container: tree.textOf(name), parameters }];
}

function callable(tree: SyntaxTree, node: NodeId): { parameters: Parameter[]; body: NodeId } {
  const list = tree.children(tree.child(node, 'parameters'));
  return {
    parameters: list.flatMap((each) => {
      const type = tree.child(each, 'type');
      if (tree.kind(each) === 'formal_parameter')
        return [
          parameterOf(tree.textOf(tree.child(each, 'name')), {
            kind: 'positional-only',
            required: true,
            type: tree.textOf(type),
            typeName: namedType(tree, type),
          }),
        ];
      return tree.kind(each) === 'spread_parameter'
        ? [parameterOf('rest', { kind: 'rest', required: false })]
        : [];
    }),
    body: tree.child(node, 'body'),
  };
}

function typesBelow(tree: SyntaxTree, node: NodeId): string[] {
  if (node === none) return [];
  const types = tree.kind(tree.firstChild(node)) === 'type_list' ? tree.firstChild(node) : node;
  return tree.children(types).flatMap((each) => namedType(tree, each) ?? []);
}

function namedType(tree: SyntaxTree, type: NodeId): string | null {
  switch (tree.kind(type)) {
    case 'type_identifier':
      return tree.textOf(type) === 'var' ? null : tree.textOf(type);
    case 'scoped_type_identifier':
      return tree.textOf(type);
    case 'generic_type':
      return namedType(tree, tree.firstChild(type));
    default:
      return null;
  }
}

const syntax: ObjectSyntax = {
  member: (tree, node) =>
    tree.kind(node) === 'field_access'
      ? { object: tree.child(node, 'object'), name: tree.textOf(tree.child(node, 'field')) }
      : null,
  call: (tree, node) =>
    tree.kind(node) === 'method_invocation'
      ? { object: tree.child(node, 'object'), name: tree.textOf(tree.child(node, 'name')) }
      : null,
  made: (tree, node) =>
    tree.kind(node) === 'object_creation_expression' ? namedType(tree, tree.child(node, 'type')) : null,
  isSelf: (tree, node) => tree.kind(node) === 'this',
  classes: new Set(Object.keys(typeKinds)),
};

function bind(tree: SyntaxTree, node: NodeId, local: LocalTypes): Bound[] {
  const type = namedType(tree, tree.child(node, 'type'));
  switch (tree.kind(node)) {
    case 'formal_parameter':
    case 'enhanced_for_statement':
    case 'resource':
      return [{ name: tree.child(node, 'name'), type }];
    case 'catch_formal_parameter':
      return [{ name: tree.child(node, 'name') }];
    case 'spread_parameter':
      return [{ name: tree.child(tree.childOfKind(node, 'variable_declarator'), 'name') }];
    case 'local_variable_declaration':
      return tree
        .children(node)
        .filter((each) => tree.kind(each) === 'variable_declarator')
        .map((each) => ({
          name: tree.child(each, 'name'),
          type: type ?? typeOfObject(syntax, tree, tree.child(each, 'value'), local),
        }));
    case 'lambda_expression': {
      const given = tree.child(node, 'parameters');
      const names = tree.kind(given) === 'identifier' ? [given] : tree.children(given);
      return names.filter((each) => tree.kind(each) === 'identifier').map((name) => ({ name }));
    }
    case 'type_parameter':
      return [{ name: tree.firstChild(node) }];
    case 'type_pattern':
    case 'instanceof_expression': {
      const name = tree.children(node).findLast((each) => tree.kind(each) === 'identifier');
      return name === undefined || tree.field(name) === 'left' ? [] : [{ name }];
    }
    default:
      return [];
  }
}

function importOf(tree: SyntaxTree, node: NodeId): Imported[] {
  const text = tree
    .textOf(node)
    .replace(/^import\s+/, '')
    .replace(/;$/, '')
    .trimEnd();
  const isStatic = /^static\s/.test(text);
  const path = text.replace(/^static\s+/, '').replace(/\s+/g, '');
  const dot = path.lastIndexOf('.');
  const name = path.slice(dot + 1);
  const from = path.slice(0, dot);
  // Imports of members and nested classes are not followed.
  const isOfClass = isStatic || /(?:^|\.)[A-Z][^.]*$/.test(from);
  if (name === '*') return [{ local: null, imported: '**', from: isOfClass ? `${from}#` : from }];
  return [{ local: name, imported: name, from: isOfClass ? `${from}#` : from }];
}

const notUses = new Set([
  'scoped_identifier',
  'package_declaration',
  'import_declaration',
  'marker_annotation',
  'annotation',
  'element_value_pair',
  'switch_label',
  'labeled_statement',
  'break_statement',
  'continue_statement',
]);

function use(tree: SyntaxTree, name: NodeId): 'read' | 'type' | null {
  const parent = tree.parent(name);
  const kind = tree.kind(parent);
  if (notUses.has(kind) && !(kind === 'element_value_pair' && tree.field(name) === 'value')) return null;
  if (kind === 'method_invocation' && tree.field(name) === 'name' && tree.child(parent, 'object') !== none)
    return null;
  if (kind === 'field_access' && tree.field(name) === 'field') return null;
  return tree.kind(name) === 'type_identifier' ? 'type' : 'read';
}

/** The name after `extends`: what `super(…)` constructs. */
function superclassOf(tree: SyntaxTree, node: NodeId): NodeId {
  let around = tree.parent(node);
  while (around !== none && tree.kind(around) !== 'class_declaration') around = tree.parent(around);
  const type = around === none ? none : tree.firstChild(tree.child(around, 'superclass'));
  return tree.kind(type) === 'generic_type' ? tree.firstChild(type) : type;
}

function call(tree: SyntaxTree, node: NodeId): Called | null {
  const positional = tree.children(tree.child(node, 'arguments')).length;
  if (tree.kind(node) === 'method_invocation') {
    const callee = tree.child(node, 'object') === none ? tree.child(node, 'name') : node;
    return { callee, kind: 'call', positional };
  }
  if (tree.kind(node) === 'explicit_constructor_invocation') {
    const isOfBase = tree.kind(tree.child(node, 'constructor')) === 'super';
    return isOfBase ? { callee: superclassOf(tree, node), kind: 'new', positional } : null;
  }
  if (tree.kind(node) === 'object_creation_expression') {
    const type = tree.child(node, 'type');
    const callee = tree.kind(type) === 'generic_type' ? tree.firstChild(type) : type;
    // An anonymous class may be anything.
    return tree.childOfKind(node, 'class_body') === none ? { callee, kind: 'new', positional } : null;
  }
  return null;
}
