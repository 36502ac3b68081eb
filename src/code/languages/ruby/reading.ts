import type { Members } from '#code/facts/facts.ts';
import type { Bound, Defined, Imported, Reading } from '#code/languages/tree-sitter/reading.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { callOf, parametersOf } from './calls.ts';
import { definedName, isNewType, isTypeName, meantName } from './constants.ts';
import { autoloaded } from './resolve-ruby.ts';
import { standardLibrary } from './standard-library.ts';
import { visible } from './visible.ts';

const functions = ['method', 'singleton_method', 'block', 'do_block', 'lambda'];
const types = ['program', 'class', 'module', 'singleton_class'];

export const rubyReading: Reading = {
  module: 'namespace',
  define,
  scopes: new Set([...types, ...functions]),
  typeScopes: new Set(types),
  bind,
  imports,
  implicitImports: autoloads,
  names: new Set(['identifier', 'constant', 'scope_resolution']),
  nameOf: (tree, node) => (isTypeName(tree.textOf(node)) ? meantName(tree, node) : tree.textOf(node)),
  use,
  isSelf: (tree, node) => tree.kind(node) === 'self',
  access(tree, node) {
    if (tree.kind(node) === 'call')
      return { object: tree.child(node, 'receiver'), member: tree.child(node, 'method') };
    return tree.kind(node) === 'scope_resolution'
      ? { object: tree.child(node, 'scope'), member: tree.child(node, 'name') }
      : null;
  },
  call: callOf,
  hasImplicitSelf: true,
  globals: visible,
  opaque,
};

function define(tree: SyntaxTree, node: NodeId): Defined[] {
  switch (tree.kind(node)) {
    case 'class':
    case 'module':
      return typeDefinition(tree, node);
    case 'method':
    case 'singleton_method':
      return [methodDefinition(tree, node)];
    case 'assignment':
      return constantDefinition(tree, node);
    case 'call':
      return accessors(tree, node);
    default:
      return [];
  }
}

function typeDefinition(tree: SyntaxTree, node: NodeId): Defined[] {
  const name = tree.child(node, 'name');
  const body = statementsOf(tree, node);
  const isModule = tree.kind(node) === 'module';
  // A module that contains only classes is just a part of their names.
  const isScopeOnly = isModule && body.every((each) => /^(?:class|module)$/.test(tree.kind(each)));
  if (isScopeOnly) return [];
  const superclass = tree.children(tree.child(node, 'superclass')).slice(0, 1);
  const bases = [...superclass, ...body.flatMap((each) => mixins(tree, each))];
  return [
    {
      name,
      as: definedName(tree, name),
      container: null,
      kind: isModule ? 'namespace' : 'class',
      bases: bases.map((each) => meantName(tree, each)),
      members: membersOf(tree, body),
      body: tree.child(node, 'body'),
    },
  ];
}

function statementsOf(tree: SyntaxTree, node: NodeId): NodeId[] {
  const body = tree.child(node, 'body');
  if (tree.kind(body) === 'body_statement') return tree.children(body);
  return tree.children(node).filter((each) => !/^(?:name|superclass)$/.test(tree.field(each) ?? ''));
}

/** Calls in the body of a class that add no members, or only those that `accessors` and `mixins` read. */
const plainCalls = new Set(
  `attr_accessor attr_reader attr_writer freeze include module_function prepend private private_class_method
  private_constant protected public public_class_method raise require require_relative`.split(/\s+/),
);

/** Ruby classes can be reopened anywhere; code that may define methods by other means makes them open. */
function membersOf(tree: SyntaxTree, body: readonly NodeId[]): Members {
  const definesMore = body.some((each) => {
    const called = tree.kind(each) === 'call' ? tree.textOf(tree.child(each, 'method')) : '';
    return called !== '' && (!plainCalls.has(called) || tree.child(each, 'receiver') !== none);
  });
  const catchesAll = body.some((each) =>
    /^(?:method_missing|respond_to_missing\?)$/.test(tree.textOf(tree.child(each, 'name'))),
  );
  const isIncludedOddly = body.some((each) =>
    /^(?:included|extended|inherited|alias|if|unless|begin)$/.test(
      tree.kind(each) === 'singleton_method' ? tree.textOf(tree.child(each, 'name')) : tree.kind(each),
    ),
  );
  return definesMore || catchesAll || isIncludedOddly ? { open: true } : { open: false, lent: true };
}

function mixins(tree: SyntaxTree, node: NodeId): NodeId[] {
  const called = tree.textOf(tree.child(node, 'method'));
  if (tree.kind(node) !== 'call' || (called !== 'include' && called !== 'prepend')) return [];
  return tree.children(tree.child(node, 'arguments'));
}

function methodDefinition(tree: SyntaxTree, node: NodeId): Defined {
  const name = tree.child(node, 'name');
  const text = tree.textOf(name);
  const isStatic = tree.kind(node) === 'singleton_method' || isInSingletonClass(tree, node);
  const isInType = !isStatic && isInsideType(tree, node);
  const kind =
    isInType && text === 'initialize' ? 'constructor' : isInType || isStatic ? 'method' : 'function';
  return {
    name,
    as: text.replace(/\s+/g, ''),
    kind,
    static: isStatic,
    ...(isInType && isPrivate(tree, node) ? { hidden: true as const } : {}),
    conditional: isGuarded(tree, node),
    parameters: parametersOf(tree, tree.child(node, 'parameters')),
    returns: null,
    body: tree.child(node, 'body'),
  };
}

/** `private def save`, `private` on an earlier line, `private :save` on a later one. */
function isPrivate(tree: SyntaxTree, node: NodeId): boolean {
  const around = tree.parent(tree.parent(node));
  if (tree.kind(around) === 'call') return tree.textOf(tree.child(around, 'method')) === 'private';
  const name = tree.textOf(tree.child(node, 'name'));
  let section = '';
  let named = false;
  for (const each of tree.children(tree.parent(node))) {
    const word = tree.kind(each) === 'call' ? tree.textOf(tree.child(each, 'method')) : tree.textOf(each);
    if (tree.kind(each) === 'identifier' && each < node && /^(?:private|public|protected)$/.test(word))
      section = word;
    const symbols = tree.children(tree.child(each, 'arguments')).map((one) => symbolText(tree, one));
    if (word === 'private' && symbols.includes(name)) named = true;
  }
  return named || section === 'private';
}

function isInSingletonClass(tree: SyntaxTree, node: NodeId): boolean {
  return typeAround(tree, node) === 'singleton_class';
}

function isInsideType(tree: SyntaxTree, node: NodeId): boolean {
  return typeAround(tree, node) !== '';
}

function typeAround(tree: SyntaxTree, node: NodeId): string {
  for (let here = tree.parent(node); here !== none; here = tree.parent(here))
    if (/^(?:class|module|singleton_class)$/.test(tree.kind(here))) return tree.kind(here);
  return '';
}

function constantDefinition(tree: SyntaxTree, node: NodeId): Defined[] {
  const name = tree.child(node, 'left');
  if (tree.kind(name) !== 'constant') return [];
  if (!isNewType(tree, node))
    return [isInsideType(tree, node) ? { name, kind: 'field', static: true } : { name, kind: 'variable' }];
  const own = definedName(tree, name);
  const members = tree
    .children(tree.child(tree.child(node, 'right'), 'arguments'))
    .filter((each) => tree.kind(each) === 'simple_symbol')
    .map((each) => ({ name: each, as: symbolText(tree, each), kind: 'field' as const, container: own }));
  return [
    { name, as: own, container: null, kind: 'class', members: { open: false, lent: true } },
    ...members,
  ];
}

/** `attr_reader :name, :age` */
function accessors(tree: SyntaxTree, node: NodeId): Defined[] {
  if (!/^attr_(?:accessor|reader|writer)$/.test(tree.textOf(tree.child(node, 'method')))) return [];
  return tree
    .children(tree.child(node, 'arguments'))
    .filter((each) => tree.kind(each) === 'simple_symbol')
    .map((each) => ({
      name: each,
      as: symbolText(tree, each),
      kind: 'field',
      static: isInSingletonClass(tree, node),
    }));
}

function symbolText(tree: SyntaxTree, node: NodeId): string {
  return tree.textOf(node).replace(/^:/, '');
}

const parameterLists = new Set(['method_parameters', 'block_parameters', 'lambda_parameters']);

function bind(tree: SyntaxTree, node: NodeId): Bound[] {
  const kind = tree.kind(node);
  if (parameterLists.has(kind))
    return tree.children(node).flatMap((each) => {
      const name = tree.kind(each) === 'identifier' ? each : tree.child(each, 'name');
      return name === none ? [] : [{ name }];
    });
  switch (kind) {
    case 'assignment':
    case 'operator_assignment': {
      const name = tree.child(node, 'left');
      if (tree.kind(name) === 'left_assignment_list') return identifiers(tree, name);
      return tree.kind(name) === 'identifier'
        ? [{ name, type: madeType(tree, tree.child(node, 'right')) }]
        : [];
    }
    case 'for':
      return identifiers(tree, node).slice(0, 1);
    case 'exception_variable':
      return identifiers(tree, node);
    default:
      return [];
  }
}

function identifiers(tree: SyntaxTree, node: NodeId): Bound[] {
  return tree.children(node).flatMap((name) => (tree.kind(name) === 'identifier' ? [{ name }] : []));
}

/** The class of `User.new(…)`. */
function madeType(tree: SyntaxTree, value: NodeId): string | null {
  const receiver = tree.child(value, 'receiver');
  const isNew = tree.kind(value) === 'call' && tree.textOf(tree.child(value, 'method')) === 'new';
  return isNew && isTypeName(tree.textOf(receiver)) && isConstant(tree, receiver)
    ? meantName(tree, receiver)
    : null;
}

function isConstant(tree: SyntaxTree, node: NodeId): boolean {
  return tree.kind(node) === 'constant' || tree.kind(node) === 'scope_resolution';
}

function imports(tree: SyntaxTree, node: NodeId): Imported[] {
  const loaded = loadedFile(tree, node);
  if (loaded === null) return [];
  const { how, path } = loaded;
  const from = how === 'require_relative' ? `./${path}` : path;
  if (how === 'require' && standardLibrary.has(path)) return [];
  return [{ local: null, imported: '**', from, form: 'executed', guarded: isGuarded(tree, node) }];
}

/** `require_relative 'store/user'`; null for everything else. */
function loadedFile(tree: SyntaxTree, node: NodeId): { how: string; path: string } | null {
  if (tree.kind(node) !== 'call' || tree.child(node, 'receiver') !== none) return null;
  const how = tree.textOf(tree.child(node, 'method'));
  if (how !== 'require' && how !== 'require_relative') return null;
  const [file = none] = tree.children(tree.child(node, 'arguments'));
  const path = tree.kind(file) === 'string' ? tree.textOf(file).slice(1, -1) : '';
  return path === '' || path.includes('#{') ? null : { how, path };
}

function isGuarded(tree: SyntaxTree, node: NodeId): boolean {
  for (let here = tree.parent(node); here !== none; here = tree.parent(here))
    if (
      /^(?:begin|if|unless|method|singleton_method|if_modifier|unless_modifier|rescue_modifier)$/.test(
        tree.kind(here),
      )
    )
      return true;
  return false;
}

/** Where no file is required by its path, Rails loads constants by name. */
function autoloads(tree: SyntaxTree): Imported[] {
  const names = new Set<string>();
  for (let node = 0; node < tree.size; node++) {
    const loaded = loadedFile(tree, node);
    if (loaded?.how === 'require_relative') return [];
    if (isConstant(tree, node) && use(tree, node) !== null && isTypeName(tree.textOf(node)))
      names.add(meantName(tree, node));
  }
  for (const name of definedNames(tree)) names.delete(name);
  return [...names].map((name) => ({ local: name, imported: name, from: `${autoloaded}${name}` }));
}

function definedNames(tree: SyntaxTree): string[] {
  const found: string[] = [];
  for (let node = 0; node < tree.size; node++)
    for (const { as } of define(tree, node)) if (as !== undefined) found.push(as);
  return found;
}

function use(tree: SyntaxTree, name: NodeId): 'read' | null {
  const parent = tree.parent(name);
  const field = tree.field(name);
  switch (tree.kind(parent)) {
    case 'call':
      // The name of a method with a receiver is a member of the receiver.
      if (field === 'method' && tree.child(parent, 'receiver') !== none) return null;
      break;
    case 'scope_resolution':
      if (field === 'name' || isTypeName(tree.textOf(parent))) return null;
      break;
    case 'class':
    case 'module':
    case 'method':
    case 'singleton_method':
      if (field === 'name') return null;
      break;
    case 'unary':
      if (tree.textOf(parent).startsWith('defined?')) return null;
      break;
    case 'alias':
    case 'undef':
      return null;
  }
  if (tree.kind(name) === 'identifier') return 'read';
  if (tree.kind(name) === 'scope_resolution' && !isTypeName(tree.textOf(name))) return null;
  const [first = ''] = tree.textOf(name).replace(/^::/, '').split('::');
  return visible.has(first) ? null : 'read';
}

/** Computed requires, requires along the load path, and evaluated text may bring any constant. */
function opaque(tree: SyntaxTree): string[] {
  for (let node = 0; node < tree.size; node++) {
    if (tree.kind(node) !== 'call' || tree.child(node, 'receiver') !== none) continue;
    const called = tree.textOf(tree.child(node, 'method'));
    const loaded = loadedFile(tree, node);
    if (/^(?:eval|instance_eval|class_eval|load|autoload|const_set)$/.test(called)) return [called];
    if (/^require(?:_relative)?$/.test(called) && loaded === null) return ['a computed require'];
    if (loaded?.how === 'require' && !standardLibrary.has(loaded.path))
      return ['a require along the load path'];
  }
  return [];
}
