import type { Parameter, TypeName, Unread } from '#code/facts/facts.ts';
import {
  type Bound,
  type Defined,
  type Imported,
  type LocalTypes,
  parameterOf,
  type Reading,
} from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { call, namedMembers } from './literals.ts';
import { switched } from './switches.ts';
import { namedType, selfType, valueType } from './types.ts';
import { insideOf, typeInPattern, typeOfValue } from './values.ts';
import { visible } from './visible.ts';

const typeKinds: Readonly<Record<string, 'class' | 'interface' | 'enum'>> = {
  struct_item: 'class',
  union_item: 'class',
  trait_item: 'interface',
  enum_item: 'enum',
};

export const rustReading: Reading = {
  module: 'namespace',
  define,
  scopes: new Set([
    ...Object.keys(typeKinds),
    'impl_item',
    'mod_item',
    'function_item',
    'function_signature_item',
    'block',
    'closure_expression',
    'for_expression',
    'match_arm',
    'if_expression',
    'while_expression',
  ]),
  typeScopes: new Set([...Object.keys(typeKinds), 'impl_item']),
  bind,
  imports,
  implicitImports: (tree) =>
    ['crate', ...above(tree), ...namedCrates(tree)].map((from) => ({ local: from, imported: '*', from })),
  names: new Set(['identifier', 'type_identifier', 'crate', 'super']),
  use(tree, name) {
    if (tree.kind(name) === 'super' && !leavesItsFile(tree, name)) return null;
    for (let node = tree.parent(name); node !== none; node = tree.parent(node))
      if (notUses.has(tree.kind(node))) return null;
    const kind = tree.kind(tree.parent(name));
    if (kind === 'lifetime' || kind === 'macro_invocation') return null;
    if (tree.field(name) === 'name' && kind !== 'struct_expression') return null;
    return tree.kind(name) === 'type_identifier' ? 'type' : 'read';
  },
  // `Self` means the type of the `impl` block; `super` inside a module that is written in place may be the file itself.
  nameOf(tree, name) {
    const text = tree.textOf(name);
    if (text === 'super' && modulesAround(tree, name).length > 0) return 'self';
    return text === 'Self' ? (selfType(tree, name) ?? text) : text;
  },
  isSelf: (tree, node) => tree.kind(node) === 'self',
  selfType,
  valueType: (tree, node, local) => typeOfValue(tree, node, local),
  access(tree, node) {
    switch (tree.kind(node)) {
      case 'field_expression': {
        const field = tree.child(node, 'field');
        // `pair.0` is not followed.
        const member = tree.kind(field) === 'field_identifier' ? field : none;
        return { object: tree.child(node, 'value'), member };
      }
      case 'scoped_identifier':
      case 'scoped_type_identifier':
        return { object: tree.child(node, 'path'), member: tree.child(node, 'name') };
      default:
        return null;
    }
  },
  call,
  namedMembers,
  switched,
  hasImplicitSelf: false,
  globals: visible,
  // Macros may define anything.
  opaque: (tree) => (tree.children(0).some((node) => isMacro(tree, node)) ? ['a macro at the top'] : []),
  unread: (tree) => [...modulesInPlace(tree), ...madeNames(tree)],
};

/** In a module in place `super` is the file itself. */
function above(tree: SyntaxTree): string[] {
  if (!tree.text.includes('super')) return [];
  return modulesInPlace(tree).length > 0 ? ['super', 'self'] : ['super'];
}

/** Only the first module in place is followed: `super::name` there is a name of the file. */
function leavesItsFile(tree: SyntaxTree, name: NodeId): boolean {
  return modulesAround(tree, name).length < 2;
}

/** `pub mod alert { … }`: definitions inside are not read. */
function modulesInPlace(tree: SyntaxTree): Unread[] {
  return tree
    .children(0)
    .filter((node) => tree.kind(node) === 'mod_item' && tree.child(node, 'body') !== none)
    .map((node) => ({ name: tree.textOf(tree.child(node, 'name')), as: 'name' }));
}

/** What the language itself does with `#[…]`: no name comes from these. */
const plainAttributes = new Set(
  'allow automatically_derived cfg cfg_attr cold deny deprecated doc expect forbid global_allocator ignore inline link'
    .split(' ')
    .concat(
      'link_name macro_export macro_use must_use naked no_mangle no_std non_exhaustive path repr'.split(' '),
    )
    .concat('rustfmt should_panic target_feature test track_caller used warn'.split(' ')),
);
const plainDerives = new Set(
  'Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd Serialize Deserialize'.split(' '),
);

/** What the derives of the standard library write: `#[derive(Default)]` is as good as `impl Default for …`. */
const methodsOfDerives: Readonly<Record<string, readonly string[]>> = {
  Clone: ['clone', 'clone_from'],
  Debug: ['fmt'],
  Default: ['default'],
  Hash: ['hash'],
  Ord: ['cmp', 'max', 'min', 'clamp'],
  PartialEq: ['eq', 'ne'],
  PartialOrd: ['partial_cmp', 'lt', 'le', 'gt', 'ge'],
};

function derivedMethods(tree: SyntaxTree, node: NodeId, container: string): Defined[] {
  const derived = [
    ...attributesOf(tree, node).matchAll(/#\[\s{0,9}derive\s{0,9}\(([^)]{0,2000})\)/g),
  ].flatMap(([, list = '']) => list.split(',').map((each) => each.trim().split('::').at(-1) ?? ''));
  return derived.flatMap((trait) =>
    (methodsOfDerives[trait] ?? []).map((method) => ({
      name: tree.child(node, 'name'),
      as: method,
      kind: 'method' as const,
      container,
      static: method === 'default',
      conditional: true,
    })),
  );
}

/** Items whose attributes run a macro, and their variants: it may make names from theirs, `UserBuilder`, `ReadConfigSnafu`. */
function madeNames(tree: SyntaxTree): Unread[] {
  return tree.children(0).flatMap((node) => {
    const name = tree.child(node, 'name');
    if (name === none || !runsMacro(attributesOf(tree, node))) return [];
    const variants = tree.kind(node) === 'enum_item' ? tree.children(tree.child(node, 'body')) : [];
    return [name, ...variants.map((each) => tree.child(each, 'name'))]
      .filter((each) => each !== none)
      .map((each) => ({ name: tree.textOf(each), as: 'part' as const }));
  });
}

function runsMacro(attributes: string): boolean {
  return [...attributes.matchAll(/#\[\s*(?:unsafe\()?([\w:]+)\s*(?:\(([^)]{0,2000})\))?/g)].some(
    ([, name = '', inner = '']) => {
      if (name !== 'derive')
        return name === 'cfg_attr' ? /derive|::/.test(inner) : !plainAttributes.has(name);
      return inner.split(',').some((each) => {
        const derived = each.trim().split('::').at(-1) ?? '';
        return derived !== '' && !plainDerives.has(derived);
      });
    },
  );
}

const notUses = new Set([
  'use_declaration',
  'extern_crate_declaration',
  'token_tree',
  'attribute_item',
  'inner_attribute_item',
  'macro_definition',
]);

function isMacro(tree: SyntaxTree, node: NodeId): boolean {
  const inner = tree.kind(node) === 'expression_statement' ? tree.firstChild(node) : node;
  return tree.kind(inner) === 'macro_invocation';
}

function define(tree: SyntaxTree, node: NodeId): Defined[] {
  const kind = typeKinds[tree.kind(node)];
  const name = tree.child(node, 'name');
  // Code for other targets or for tests may define the same name again.
  const conditional = /^#\[cfg\(/m.test(attributesOf(tree, node));
  const hidden = hiddenIn(tree, node);
  if (kind)
    return [
      { ...typeDefinition(tree, node, kind), ...hidden, conditional },
      ...derivedMethods(tree, node, tree.textOf(name)),
    ];
  switch (tree.kind(node)) {
    case 'function_item':
    case 'function_signature_item':
      return [{ ...callable(tree, node), ...hidden, conditional }];
    case 'field_declaration':
      return tree.kind(tree.parent(tree.parent(node))) === 'struct_item'
        ? [{ name, kind: 'field', type: valueType(tree, tree.child(node, 'type')), ...hidden }]
        : [];
    case 'enum_variant': {
      const parameters = fieldParameters(tree, tree.child(node, 'body'));
      // A match may leave out a variant that no value can have.
      const isEmpty = /\b(?:Infallible|Never|Void)\b|!/.test(tree.textOf(tree.child(node, 'body')));
      return [
        { name, kind: 'enum-member', static: true, ...parameters, conditional: conditional || isEmpty },
      ];
    }
    case 'const_item':
    case 'static_item': {
      const container = implementer(tree, node);
      return container === null
        ? [{ name, kind: 'variable', ...hidden, conditional }]
        : [{ name, kind: 'field', static: true, container, ...hidden, conditional }];
    }
    case 'type_item':
      return implementer(tree, node) === null ? [{ name, kind: 'type', ...hidden, conditional }] : [];
    default:
      return [];
  }
}

/** Without `pub`; members of a trait are as visible as the trait. */
function hiddenIn(tree: SyntaxTree, node: NodeId): { hidden?: true } {
  const around = tree.parent(tree.parent(node));
  const isOfTrait =
    tree.kind(around) === 'trait_item' ||
    (tree.kind(around) === 'impl_item' && tree.child(around, 'trait') !== none);
  const isPublic = tree.childOfKind(node, 'visibility_modifier') !== none;
  return isOfTrait || isPublic ? {} : { hidden: true };
}

/** The text of all attributes before an item. */
function attributesOf(tree: SyntaxTree, node: NodeId): string {
  const siblings = tree.children(tree.parent(node));
  let first = siblings.indexOf(node);
  while (tree.kind(siblings[first - 1] ?? none) === 'attribute_item') first--;
  return siblings
    .slice(first, siblings.indexOf(node))
    .map((each) => tree.textOf(each))
    .join('\n');
}

function typeDefinition(tree: SyntaxTree, node: NodeId, kind: 'class' | 'interface' | 'enum'): Defined {
  const name = tree.child(node, 'name');
  const bounds = tree.children(tree.child(node, 'bounds')).flatMap((each) => namedType(tree, each) ?? []);
  return {
    name,
    kind,
    bases: kind === 'interface' ? bounds : [],
    implements: kind === 'class' ? implemented(tree, tree.textOf(name)) : [],
    // Traits and blocks of other files may add methods.
    members: kind === 'interface' ? { open: false } : { open: false, lent: true },
    body: tree.child(node, 'body'),
    ...(tree.kind(node) === 'struct_item' ? fieldParameters(tree, tree.child(node, 'body')) : {}),
  };
}

/** The fields of a struct or variant, as what a literal of it takes; nothing where fields depend on the target. */
function fieldParameters(tree: SyntaxTree, body: NodeId): { parameters?: readonly Parameter[] } {
  const parts = tree.children(body);
  if (parts.some((each) => /^#\[cfg/.test(tree.textOf(each)))) return {};
  if (tree.kind(body) === 'ordered_field_declaration_list')
    return {
      parameters: parts
        .filter((each) => tree.field(each) === 'type')
        .map((_, at) => parameterOf(`field ${at}`, { kind: 'positional-only', required: true })),
    };
  return {
    parameters: parts
      .filter((each) => tree.kind(each) === 'field_declaration')
      .map((each) =>
        parameterOf(tree.textOf(tree.child(each, 'name')), { kind: 'keyword-only', required: true }),
      ),
  };
}

/** Traits that the file implements for a type. */
function implemented(tree: SyntaxTree, name: string): string[] {
  return tree.children(0).flatMap((node) => {
    const trait = tree.kind(node) === 'impl_item' ? tree.child(node, 'trait') : none;
    return trait !== none && namedType(tree, tree.child(node, 'type')) === name
      ? (namedType(tree, trait) ?? [])
      : [];
  });
}

/** The type of the `impl` block around a node. */
function implementer(tree: SyntaxTree, node: NodeId): string | null {
  const block = tree.parent(tree.parent(node));
  return tree.kind(block) === 'impl_item' ? namedType(tree, tree.child(block, 'type')) : null;
}

function callable(tree: SyntaxTree, node: NodeId): Defined {
  const container = implementer(tree, node);
  const isOfTrait = tree.kind(tree.parent(tree.parent(node))) === 'trait_item';
  const body = tree.child(node, 'body');
  const list = tree.children(tree.child(node, 'parameters'));
  const returns = tree.child(node, 'return_type');
  return {
    name: tree.child(node, 'name'),
    kind: container !== null || isOfTrait ? 'method' : 'function',
    ...(container === null ? {} : { container }),
    parameters: list.flatMap((each, at): Parameter[] => {
      if (tree.kind(each) !== 'parameter') return [];
      const pattern = tree.child(each, 'pattern');
      const type = tree.child(each, 'type');
      return [
        parameterOf(tree.kind(pattern) === 'identifier' ? tree.textOf(pattern) : `argument ${at + 1}`, {
          kind: 'positional-only',
          required: true,
          type: tree.textOf(type),
          typeName: namedType(tree, type),
        }),
      ];
    }),
    returns: returns === none ? null : tree.textOf(returns),
    type: valueType(tree, returns),
    static: !list.some((each) => tree.kind(each) === 'self_parameter'),
    async: /\basync\b/.test(tree.textOf(tree.childOfKind(node, 'function_modifiers'))),
    optional: isOfTrait && body !== none,
    body,
  };
}

function bind(tree: SyntaxTree, node: NodeId, local: LocalTypes): Bound[] {
  switch (tree.kind(node)) {
    case 'parameter':
    case 'let_declaration': {
      const type = tree.child(node, 'type');
      const value = tree.child(node, 'value');
      const known = type === none ? typeOfValue(tree, value, local) : valueType(tree, type);
      return bound(tree, tree.child(node, 'pattern'), known);
    }
    case 'for_expression':
      return bound(
        tree,
        tree.child(node, 'pattern'),
        insideOf(typeOfValue(tree, tree.child(node, 'value'), local)),
      );
    case 'match_arm': {
      const matched = tree.child(tree.parent(tree.parent(node)), 'value');
      return bound(tree, tree.child(node, 'pattern'), typeOfValue(tree, matched, local));
    }
    // Where the condition does not hold, the name means something else.
    case 'let_condition':
      return bound(tree, tree.child(node, 'pattern'), null);
    case 'block':
      return conditionsOf(tree, node).flatMap((each) =>
        bound(tree, tree.child(each, 'pattern'), typeOfValue(tree, tree.child(each, 'value'), local)),
      );
    case 'closure_expression':
      return tree
        .children(tree.child(node, 'parameters'))
        .filter((each) => tree.kind(each) !== 'parameter')
        .flatMap((each) => bindings(tree, each).map((name) => ({ name })));
    case 'type_parameter':
      return [{ name: tree.child(node, 'name'), isType: true }];
    default:
      return [];
  }
}

/** The names of a pattern, with the type of the one that is bound to a value of a known type. */
function bound(tree: SyntaxTree, pattern: NodeId, value: TypeName | null): Bound[] {
  const known = value === null ? null : typeInPattern(tree, pattern, value);
  return bindings(tree, pattern).map((name) => ({ name, type: known?.name === name ? known.type : null }));
}

/** `let Some(user) = found` of the condition that leads to a block. */
function conditionsOf(tree: SyntaxTree, block: NodeId): NodeId[] {
  const around = tree.parent(block);
  const field = tree.field(block);
  const isLed =
    (tree.kind(around) === 'if_expression' && field === 'consequence') ||
    (tree.kind(around) === 'while_expression' && field === 'body');
  if (!isLed) return [];
  const condition = tree.child(around, 'condition');
  const parts = tree.kind(condition) === 'let_chain' ? tree.children(condition) : [condition];
  return parts.filter((each) => tree.kind(each) === 'let_condition');
}

/** Names in a pattern; a name with a capital letter is a constant or a variant. */
function bindings(tree: SyntaxTree, pattern: NodeId): NodeId[] {
  if (pattern === none) return [];
  const found: NodeId[] = [];
  for (let node = pattern; node < tree.subtreeEnd(pattern); node++)
    if (/^(?:shorthand_field_)?identifier$/.test(tree.kind(node)) && /^[\p{Ll}_]/u.test(tree.textOf(node)))
      found.push(node);
  return found;
}

function imports(tree: SyntaxTree, node: NodeId): Imported[] {
  if (tree.kind(node) === 'mod_item' && tree.child(node, 'body') === none) {
    const local = tree.textOf(tree.child(node, 'name'));
    const attributes = attributesOf(tree, node);
    const [, file] = /^#\[path\s*=\s*"([^"]*)"/m.exec(attributes) ?? [];
    // The file depends on the target.
    if (/\bcfg_attr\b.{0,200}\bpath\b/s.test(attributes)) return [];
    const around = modulesAround(tree, node).map((name) => `${name}::`);
    const from = file === undefined ? `self::${around.join('')}${local}` : `./${file.replace(/^\.\//, '')}`;
    // Inside an inline module the path starts from a folder of that name.
    if (file !== undefined && around.length > 0) return [];
    return [{ local, imported: '*', from, guarded: attributes !== '' }];
  }
  const isPassedOn = tree.childOfKind(node, 'visibility_modifier') !== none;
  if (tree.kind(node) === 'extern_crate_declaration') {
    const from = tree.textOf(tree.child(node, 'name'));
    const alias = tree.textOf(tree.child(node, 'alias'));
    return from === 'self' ? [] : [{ local: alias || from, imported: '*', from, isPassedOn }];
  }
  if (tree.kind(node) !== 'use_declaration') return [];
  const depth = modulesAround(tree, node).length;
  return used(tree, tree.child(node, 'argument'), '')
    .flatMap((entry) => fromWithin(entry, depth))
    .map((entry) => ({ ...entry, isPassedOn }));
}

/** Names of the inline modules around a node, outermost first. */
function modulesAround(tree: SyntaxTree, node: NodeId): string[] {
  const names: string[] = [];
  for (let above = tree.parent(node); above !== none; above = tree.parent(above))
    if (tree.kind(above) === 'mod_item') names.unshift(tree.textOf(tree.child(above, 'name')));
  return names;
}

/** Keywords, built-in crates, and types that can start a path: `i64::MAX`. */
const notCrates = [...visible, 'crate', 'self', 'super'];

/** Crates that paths start with, although nothing imports them: `shop_core::store::total_of(orders)`. */
function namedCrates(tree: SyntaxTree): string[] {
  const paths = tree.text.matchAll(/(?<![\w:$])([a-z]\w*)::(?=[A-Za-z_])/g);
  const known = new Set(notCrates);
  for (let node: NodeId = 0; node < tree.size; node++) {
    if (tree.kind(node) === 'mod_item') known.add(tree.textOf(tree.child(node, 'name')));
    for (const { local } of imports(tree, node)) if (local !== null) known.add(local);
  }
  return [...new Set([...paths].map(([, name = '']) => name)).difference(known)].sort();
}

/** In `mod tests { use super::Clsid; }` the file itself is `super`: its definitions are known without an import. */
function fromWithin(entry: Imported, depth: number): Imported[] {
  const parts = entry.from.split('::');
  let ups = 0;
  while (ups < depth && parts[ups] === 'super') ups++;
  if (ups === 0) return [entry];
  const rest = parts.slice(ups);
  if (rest.length === 0) return [];
  return [{ ...entry, from: rest[0] === 'super' ? rest.join('::') : ['self', ...rest].join('::') }];
}

/** `use a::{b, c as d, e::*}`, one by one. */
function used(tree: SyntaxTree, node: NodeId, prefix: string): Imported[] {
  const text = tree.textOf(node).replace(/\s+/g, '');
  const under = (path: string) => (prefix === '' ? path : `${prefix}::${path}`);
  switch (tree.kind(node)) {
    case 'scoped_use_list':
    case 'use_list': {
      const path = tree.child(node, 'path');
      const base = path === none ? prefix : under(tree.textOf(path).replace(/\s+/g, ''));
      const list = tree.kind(node) === 'use_list' ? node : tree.child(node, 'list');
      return tree.children(list).flatMap((each) => used(tree, each, base));
    }
    case 'use_wildcard':
      return [{ local: null, imported: '**', from: under(text.replace(/::\*$/, '')) }];
    case 'use_as_clause': {
      const alias = tree.textOf(tree.child(node, 'alias'));
      const [entry] = used(tree, tree.child(node, 'path'), prefix);
      return entry ? [{ ...entry, local: alias === '_' ? null : alias }] : [];
    }
    case 'self':
      return [moduleImport(prefix)];
    default: {
      const full = under(text);
      const at = full.lastIndexOf('::');
      if (at < 0) return [moduleImport(full)];
      const name = full.slice(at + 2);
      return [{ local: name, imported: name, from: full.slice(0, at) }];
    }
  }
}

function moduleImport(path: string): Imported {
  return { local: path.slice(path.lastIndexOf(':') + 1), imported: '*', from: path };
}
