import type { Parameter } from '#code/facts/facts.ts';
import {
  type Bound,
  type Called,
  type Defined,
  type Imported,
  parameterOf,
  type Reading,
} from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';

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
    ['crate', 'super', ...namedCrates(tree)].map((from) => ({ local: from, imported: '*', from })),
  names: new Set(['identifier', 'type_identifier', 'crate', 'super']),
  use(tree, name) {
    for (let node = tree.parent(name); node !== none; node = tree.parent(node))
      if (notUses.has(tree.kind(node))) return null;
    const kind = tree.kind(tree.parent(name));
    if (kind === 'lifetime' || kind === 'macro_invocation' || tree.field(name) === 'name') return null;
    return tree.kind(name) === 'type_identifier' ? 'type' : 'read';
  },
  isSelf: (tree, node) => tree.kind(node) === 'self',
  access(tree, node) {
    switch (tree.kind(node)) {
      case 'field_expression':
        return { object: tree.child(node, 'value'), member: tree.child(node, 'field') };
      case 'scoped_identifier':
      case 'scoped_type_identifier':
        return { object: tree.child(node, 'path'), member: tree.child(node, 'name') };
      default:
        return null;
    }
  },
  call,
  namedMembers,
  hasImplicitSelf: false,
  globals: new Set(
    'Self Some None Ok Err Option Result Vec String Box ToString ToOwned Iterator IntoIterator Clone Copy Send Sync'
      .split(' ')
      .concat(
        'Drop Fn FnMut FnOnce From Into Default Eq PartialEq Ord PartialOrd AsRef AsMut Extend'.split(' '),
      )
      .concat(
        'DoubleEndedIterator ExactSizeIterator TryFrom TryInto Sized Unpin drop std core alloc'.split(' '),
      ),
  ),
  // Macros may define anything.
  opaque: (tree) => (/^(?!macro_rules)\w+!\s*[({[]/m.test(tree.text) ? ['a macro at the top'] : []),
};

const notUses = new Set([
  'use_declaration',
  'token_tree',
  'attribute_item',
  'inner_attribute_item',
  'macro_definition',
]);

function define(tree: SyntaxTree, node: NodeId): Defined[] {
  const kind = typeKinds[tree.kind(node)];
  const name = tree.child(node, 'name');
  // Code for other targets or for tests may define the same name again.
  const conditional = /#\[cfg/.test(tree.textOf(previous(tree, node)));
  const hidden = hiddenIn(tree, node);
  if (kind) return [{ ...typeDefinition(tree, node, kind), ...hidden, conditional }];
  switch (tree.kind(node)) {
    case 'function_item':
    case 'function_signature_item':
      return [{ ...callable(tree, node), ...hidden, conditional }];
    case 'field_declaration':
      return tree.kind(tree.parent(tree.parent(node))) === 'struct_item'
        ? [{ name, kind: 'field', type: namedType(tree, tree.child(node, 'type')), ...hidden }]
        : [];
    case 'enum_variant':
      return [{ name, kind: 'enum-member', static: true }];
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

function previous(tree: SyntaxTree, node: NodeId): NodeId {
  const siblings = tree.children(tree.parent(node));
  const before = siblings[siblings.indexOf(node) - 1] ?? none;
  return tree.kind(before) === 'attribute_item' ? before : none;
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
    static: !list.some((each) => tree.kind(each) === 'self_parameter'),
    async: /\basync\b/.test(tree.textOf(tree.childOfKind(node, 'function_modifiers'))),
    optional: isOfTrait && body !== none,
    body,
  };
}

function namedType(tree: SyntaxTree, type: NodeId): string | null {
  switch (tree.kind(type)) {
    case 'type_identifier':
      return tree.textOf(type);
    case 'scoped_type_identifier':
      return tree.textOf(type).replaceAll('::', '.');
    case 'reference_type':
    case 'generic_type':
      return namedType(tree, tree.child(type, 'type'));
    default:
      return null;
  }
}

function bind(tree: SyntaxTree, node: NodeId): Bound[] {
  switch (tree.kind(node)) {
    case 'parameter':
    case 'let_declaration': {
      const pattern = tree.child(node, 'pattern');
      const value = tree.child(node, 'value');
      const built = tree.kind(value) === 'struct_expression' ? tree.child(value, 'name') : none;
      const type = namedType(tree, tree.child(node, 'type')) ?? namedType(tree, built);
      const known = type === 'Self' ? null : type;
      return bindings(tree, pattern).map((name) => ({ name, type: name === pattern ? known : null }));
    }
    case 'for_expression':
    case 'match_arm':
    case 'let_condition':
      return bindings(tree, tree.child(node, 'pattern')).map((name) => ({ name }));
    case 'closure_expression':
      return bindings(tree, tree.child(node, 'parameters')).map((name) => ({ name }));
    case 'type_parameter':
      return [{ name: tree.child(node, 'name') }];
    default:
      return [];
  }
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
  if (tree.kind(node) !== 'use_declaration') return [];
  const isPassedOn = tree.childOfKind(node, 'visibility_modifier') !== none;
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
const notCrates =
  'crate self super std core alloc str char bool slice i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64'.split(
    ' ',
  );

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

function call(tree: SyntaxTree, node: NodeId): Called | null {
  if (tree.kind(node) !== 'call_expression') return null;
  const callee = tree.child(node, 'function');
  return {
    callee: tree.kind(callee) === 'generic_function' ? tree.child(callee, 'function') : callee,
    kind: 'call',
    positional: tree.children(tree.child(node, 'arguments')).length,
  };
}

function namedMembers(tree: SyntaxTree, node: NodeId): { type: string; member: NodeId }[] {
  if (tree.kind(node) !== 'struct_expression') return [];
  const type = namedType(tree, tree.child(node, 'name'));
  if (type === null || type === 'Self') return [];
  return tree.children(tree.child(node, 'body')).flatMap((each) => {
    const member = tree.child(each, 'field');
    return member === none ? [] : [{ type, member }];
  });
}
