import type { Parameter } from '#code/facts/facts.ts';
import { enclosingClass, type ObjectSyntax, typeOfObject } from '#code/languages/tree-sitter/object-types.ts';
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
import { ownNamespace } from './resolve-php.ts';
import { visible } from './visible.ts';

const typeKinds: Readonly<Record<string, 'class' | 'interface' | 'enum'>> = {
  class_declaration: 'class',
  trait_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
};

const functions = ['method_declaration', 'function_definition', 'arrow_function', 'anonymous_function'];

export const phpReading: Reading = {
  module: 'namespace',
  define,
  scopes: new Set([...Object.keys(typeKinds), ...functions]),
  typeScopes: new Set(Object.keys(typeKinds)),
  bind,
  imports: (tree, node) => (tree.kind(node) === 'namespace_use_declaration' ? importsOf(tree, node) : []),
  implicitImports: () => [{ local: null, imported: '**', from: ownNamespace }],
  names: new Set(['name', 'variable_name']),
  use,
  isSelf: (tree, node) => tree.kind(node) === 'variable_name' && tree.textOf(node) === '$this',
  access(tree, node) {
    switch (tree.kind(node)) {
      case 'member_access_expression':
      case 'nullsafe_member_access_expression':
      case 'member_call_expression':
      case 'nullsafe_member_call_expression':
        return { object: tree.child(node, 'object'), member: tree.child(node, 'name') };
      case 'scoped_call_expression':
        return { object: tree.child(node, 'scope'), member: tree.child(node, 'name') };
      case 'class_constant_access_expression': {
        const [object = none, member = none] = tree.children(node);
        return { object, member: tree.textOf(member) === 'class' ? none : member };
      }
      default:
        return null;
    }
  },
  call,
  valueType: (tree, node, local) =>
    syntax.call(tree, node) ? typeOfObject(syntax, tree, node, local) : null,
  hasImplicitSelf: false,
  // Variables are not module-level names, and functions may come from anywhere.
  globals: { has: (name) => !/^[A-Z]/.test(name) || visible.has(name) },
};

function define(tree: SyntaxTree, node: NodeId): Defined[] {
  const kind = typeKinds[tree.kind(node)];
  const name = tree.child(node, 'name');
  if (kind) return [typeDefinition(tree, node, kind)];
  const isStatic = tree.childOfKind(node, 'static_modifier') !== none;
  const isHidden = tree.textOf(tree.childOfKind(node, 'visibility_modifier')) === 'private';
  const hidden = isHidden ? { hidden: true as const } : {};
  switch (tree.kind(node)) {
    case 'function_definition':
      return [{ name, kind: 'function', ...callable(tree, node) }];
    case 'method_declaration': {
      const isConstructor = tree.textOf(name) === '__construct';
      return [
        {
          name,
          kind: isConstructor ? 'constructor' : 'method',
          ...callable(tree, node),
          ...hidden,
          static: isStatic,
          abstract: tree.childOfKind(node, 'abstract_modifier') !== none,
        },
      ];
    }
    case 'property_declaration':
      return tree
        .children(node)
        .filter((each) => tree.kind(each) === 'property_element')
        .map((each) => ({
          ...field(tree, tree.child(each, 'name'), tree.child(node, 'type'), isStatic),
          ...hidden,
        }));
    case 'property_promotion_parameter':
      return [
        {
          ...field(tree, name, tree.child(node, 'type'), false),
          ...hidden,
          container: enclosingClass(syntax, tree, node),
        },
      ];
    case 'const_element':
      return [{ name: tree.firstChild(node), kind: 'field', static: true }];
    case 'enum_case':
      return [{ name, kind: 'enum-member', static: true }];
    default:
      return [];
  }
}

function field(tree: SyntaxTree, name: NodeId, type: NodeId, isStatic: boolean): Defined {
  const as = tree.textOf(name).replace(/^\$/, '');
  return { name, as, kind: 'field', type: namedType(tree, type), static: isStatic };
}

function typeDefinition(tree: SyntaxTree, node: NodeId, kind: 'class' | 'interface' | 'enum'): Defined {
  const body = tree.child(node, 'body');
  const traits = tree
    .children(body)
    .filter((each) => tree.kind(each) === 'use_declaration')
    .flatMap((each) => namesIn(tree, each));
  const methods = tree.children(body).map((each) => tree.textOf(tree.child(each, 'name')));
  return {
    name: tree.child(node, 'name'),
    kind,
    bases: [...namesIn(tree, tree.childOfKind(node, 'base_clause')), ...traits],
    implements: namesIn(tree, tree.childOfKind(node, 'class_interface_clause')),
    // Properties may be set from outside.
    members: methods.some((name) => /^__(?:get|call|callStatic)$/.test(name))
      ? { open: true }
      : { open: false, lent: true },
    abstract: tree.childOfKind(node, 'abstract_modifier') !== none,
    body,
  };
}

function namesIn(tree: SyntaxTree, node: NodeId): string[] {
  return tree.children(node).flatMap((each) => (tree.kind(each) === 'name' ? [tree.textOf(each)] : []));
}

function callable(
  tree: SyntaxTree,
  node: NodeId,
): { parameters: Parameter[]; returns: string | null; body: NodeId } {
  const returns = tree.child(node, 'return_type');
  return {
    parameters: tree.children(tree.child(node, 'parameters')).map((each) => {
      const type = tree.child(each, 'type');
      const isRest = tree.kind(each) === 'variadic_parameter';
      const value = tree.child(each, 'default_value');
      return parameterOf(tree.textOf(tree.child(each, 'name')).slice(1), {
        kind: isRest ? 'rest' : 'positional',
        required: !isRest && value === none,
        default: value === none ? null : tree.textOf(value).slice(0, 80),
        type: type === none ? null : tree.textOf(type),
        typeName: namedType(tree, type),
      });
    }),
    returns: returns === none ? null : tree.textOf(returns),
    body: tree.child(node, 'body'),
  };
}

function namedType(tree: SyntaxTree, type: NodeId): string | null {
  if (type === none) return null;
  if (tree.kind(type) === 'optional_type') return namedType(tree, tree.firstChild(type));
  const name = tree.kind(type) === 'named_type' ? tree.firstChild(type) : none;
  return tree.kind(name) === 'name' ? tree.textOf(name) : null;
}

const syntax: ObjectSyntax = {
  member: (tree, node) =>
    /^(?:nullsafe_)?member_access_expression$/.test(tree.kind(node))
      ? { object: tree.child(node, 'object'), name: tree.textOf(tree.child(node, 'name')) }
      : null,
  call(tree, node) {
    const kind = tree.kind(node);
    const field = kind === 'scoped_call_expression' ? 'scope' : 'object';
    const isCall = field === 'scope' || /^(?:nullsafe_)?member_call_expression$/.test(kind);
    return isCall ? { object: tree.child(node, field), name: tree.textOf(tree.child(node, 'name')) } : null;
  },
  made(tree, node) {
    const made = tree.kind(node) === 'object_creation_expression' ? tree.firstChild(node) : none;
    return tree.kind(made) === 'name' ? tree.textOf(made) : null;
  },
  isSelf: (tree, node) => tree.kind(node) === 'variable_name' && tree.textOf(node) === '$this',
  classes: new Set(Object.keys(typeKinds)),
};

function bind(tree: SyntaxTree, node: NodeId, local: LocalTypes): Bound[] {
  switch (tree.kind(node)) {
    case 'simple_parameter':
    case 'property_promotion_parameter':
      return [{ name: tree.child(node, 'name'), type: namedType(tree, tree.child(node, 'type')) }];
    case 'variadic_parameter':
      return [{ name: tree.child(node, 'name') }];
    case 'assignment_expression': {
      const name = tree.child(node, 'left');
      const value = tree.child(node, 'right');
      const type = typeOfObject(syntax, tree, value, local);
      return tree.kind(name) === 'variable_name' ? [{ name, type }] : [];
    }
    default:
      return [];
  }
}

function importsOf(tree: SyntaxTree, node: NodeId): Imported[] {
  // Functions and constants have no separate file.
  if (/^use\s+(?:function|const)\b/i.test(tree.textOf(node))) return [];
  const prefix = tree.textOf(tree.childOfKind(node, 'namespace_name'));
  const group = tree.child(node, 'body');
  return tree
    .children(group === none ? node : group)
    .filter((each) => tree.kind(each) === 'namespace_use_clause')
    .map((each) => {
      const path = tree.textOf(tree.firstChild(each)).replace(/^\\/, '');
      const from = prefix === '' ? path : `${prefix}\\${path}`;
      const imported = from.slice(from.lastIndexOf('\\') + 1);
      const alias = tree.child(each, 'alias');
      return { local: alias === none ? imported : tree.textOf(alias), imported, from };
    });
}

const notUses = new Set(
  'namespace_name qualified_name namespace_use_clause namespace_definition argument const_element enum_case'
    .split(' ')
    .concat('attribute', 'goto_statement', 'named_label_statement'),
);

function use(tree: SyntaxTree, name: NodeId): 'read' | 'type' | null {
  const parent = tree.parent(name);
  const kind = tree.kind(parent);
  if (tree.kind(name) === 'variable_name') return 'read';
  if (kind === 'argument') return tree.field(name) === 'name' ? null : 'read';
  if (notUses.has(kind) || tree.field(name) === 'name') return null;
  if (kind === 'class_constant_access_expression' && tree.firstChild(parent) !== name) return null;
  return kind === 'named_type' ? 'type' : 'read';
}

function call(tree: SyntaxTree, node: NodeId): Called | null {
  switch (tree.kind(node)) {
    case 'function_call_expression':
      return {
        callee: tree.child(node, 'function'),
        kind: 'call',
        ...given(tree, tree.child(node, 'arguments')),
      };
    case 'member_call_expression':
    case 'nullsafe_member_call_expression':
    case 'scoped_call_expression':
      return { callee: node, kind: 'call', ...given(tree, tree.child(node, 'arguments')) };
    case 'object_creation_expression':
      return {
        callee: tree.firstChild(node),
        kind: 'new',
        ...given(tree, tree.childOfKind(node, 'arguments')),
      };
    default:
      return null;
  }
}

function given(tree: SyntaxTree, list: NodeId): Omit<Called, 'callee' | 'kind'> {
  const all = tree.children(list).filter((each) => tree.kind(each) === 'argument');
  const isSpread = (each: NodeId) => tree.childOfKind(each, 'variadic_unpacking') !== none;
  const keywords = all.flatMap((each) => {
    const name = tree.child(each, 'name');
    return name === none ? [] : [tree.textOf(name)];
  });
  const spread = all.some(isSpread) || tree.textOf(list).includes('...');
  const positional = all.filter((each) => !isSpread(each)).length - keywords.length;
  return { positional, keywords, spread, keywordSpread: spread };
}
