import type { TypeName } from '#code/facts/facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import { dottedName, stringValue } from './expressions.ts';
import type { Names } from './names.ts';
import { decoratorsOf } from './parameters.ts';
import { lookup, type Scope } from './scopes.ts';
import { visible } from './visible.ts';

/** The header of a class. */
export interface Heritage {
  readonly bases: readonly TypeName[];
  /** A base or metaclass that can add members that the source does not show. */
  readonly isOpen: boolean;
  /** A metaclass that may change how instances are created, or do anything else a decorator can. */
  readonly metaclass: string | null;
  readonly isEnum: boolean;
  readonly isAbstract: boolean;
  /** Members are constructor arguments: dataclass, attrs, NamedTuple. */
  readonly isRecord: boolean;
}

const enumBases = new Set(['Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag', 'ReprEnum']);
const plainMetaclasses = new Set(['ABCMeta', 'EnumMeta', 'EnumType', 'type']);
const recordDecorators = new Set(['dataclass', 'define', 'frozen', 'mutable', 'attrs', 's']);

export function heritageOf(tree: SyntaxTree, node: NodeId): Heritage {
  const bases: TypeName[] = [];
  let isOpen = false;
  let isAbstract = false;
  let metaclass: string | null = null;
  const list = tree.child(node, 'superclasses');
  for (const argument of list === none ? [] : tree.children(list)) {
    if (tree.kind(argument) === 'keyword_argument') {
      const keyword = tree.textOf(tree.child(argument, 'name'));
      const value = tree.child(argument, 'value');
      if (keyword === 'extra' && takesExtraFields(tree.textOf(value))) isOpen = true;
      if (keyword !== 'metaclass') continue;
      const last = dottedName(tree, value)?.at(-1) ?? '';
      if (last === 'ABCMeta') isAbstract = true;
      else isOpen = true;
      if (!plainMetaclasses.has(last)) metaclass = tree.textOf(value);
      continue;
    }
    const name = dottedName(
      tree,
      tree.kind(argument) === 'subscript' ? tree.child(argument, 'value') : argument,
    );
    if (name === null) isOpen = true;
    else if (name.join('.') !== 'object') bases.push(name.join('.'));
  }
  const last = bases.map((base) => base.split('.').at(-1) ?? base);
  return {
    bases,
    isOpen,
    metaclass,
    isEnum: last.some((base) => enumBases.has(base)),
    isAbstract: isAbstract || last.includes('ABC') || last.includes('Protocol'),
    isRecord: last.includes('NamedTuple') || decoratorsOf(tree, node).some(isRecordDecorator),
  };
}

/** The base of the class around a method, when it has just one and the module knows it. */
export function onlyBase({ tree }: Bound, method: Scope): TypeName | null {
  const scope = classScopeAround(method);
  if (scope === null || scope.symbol === null) return null;
  const { bases, isOpen } = heritageOf(tree, scope.node);
  const [base, ...others] = bases;
  if (base === undefined || isOpen || others.length > 0) return null;
  return lookup(base.split('.', 1)[0] ?? base, scope)?.kind === 'module' ? base : null;
}

function isRecordDecorator(name: string): boolean {
  const last = name.split('.').at(-1) ?? name;
  return recordDecorators.has(last) && (last !== 's' || name === 'attr.s');
}

/** Symbol paths of classes whose members the source may not list completely. */
export interface UnlistedMembers {
  /** They get members in ways that the source does not list. */
  readonly open: ReadonlySet<string>;
  /** A method passes its instance to other code, which may set attributes on it. */
  readonly lent: ReadonlySet<string>;
}

export function unlistedMembers(bound: Bound, names: Names): UnlistedMembers {
  const open = new Set<string>();
  const lent = new Set<string>();
  const { tree } = bound;
  for (const { scope, name, site } of bound.declarations) {
    if (scope.kind !== 'class' || scope.symbol === null) continue;
    if (site.form === 'function' && hidesMembers(name, tree, site.node)) open.add(scope.symbol);
    const taking = extraFieldsOf(scope.symbol, name);
    if (taking !== null && takesExtraFields(tree.textOf(site.value))) open.add(taking);
  }
  for (const { attribute } of bound.attributeWrites) {
    const owner = classNamed(bound, tree.child(attribute, 'object'));
    if (owner !== null) open.add(owner);
  }
  for (const call of bound.calls) {
    const extended = dynamicallyExtended(bound, names, call);
    if (extended !== null) open.add(extended);
    for (const { owner, isFilled } of handedOver(bound, names, call)) (isFilled ? open : lent).add(owner);
  }
  for (const attribute of dictAttributes(tree)) {
    const object = tree.child(attribute, 'object');
    const owner = names.classOf(object) ?? classNamed(bound, object);
    if (owner !== null) open.add(owner);
  }
  return { open, lent };
}

/** `__getattr__`; and a `__new__` that returns an object it did not create itself, which may be of any class. */
function hidesMembers(name: string, tree: SyntaxTree, method: NodeId): boolean {
  if (name === '__new__') return !tree.textOf(method).includes('.__new__(');
  return name === '__getattr__' || name === '__getattribute__';
}

/** Pydantic's `model_config = ConfigDict(extra='allow')` and, in a nested `Config`, `extra = Extra.allow`: the class they configure. */
function extraFieldsOf(owner: string, name: string): string | null {
  if (name === 'model_config') return owner;
  return name === 'extra' && owner.endsWith('.Config') ? owner.slice(0, -'.Config'.length) : null;
}

/** A setting defined elsewhere may allow them too. */
function takesExtraFields(setting: string): boolean {
  return /\ballow\b|^[\w.]+$/.test(setting);
}

/** Every `x.__dict__`; the text is searched first, because most files have none. */
function dictAttributes(tree: SyntaxTree): NodeId[] {
  const found: NodeId[] = [];
  if (!tree.text.includes('__dict__')) return found;
  for (let node = 0; node < tree.size; node++) {
    const isDict =
      tree.kind(node) === 'attribute' && tree.textOf(tree.child(node, 'attribute')) === '__dict__';
    if (isDict) found.push(node);
  }
  return found;
}

/** `setattr(self, …)`, `vars(self)`, `locals()` in a class body: the class that may get members. */
function dynamicallyExtended(bound: Bound, names: Names, node: NodeId): string | null {
  const { tree } = bound;
  const callee = tree.child(node, 'function');
  const name = tree.kind(callee) === 'identifier' ? tree.textOf(callee) : memberName(tree, callee);
  if (name === 'locals' || name === 'exec' || name === 'vars') {
    const scope = bound.scopeAt(node);
    if (scope.kind === 'class') return scope.symbol;
  }
  if (name !== 'setattr' && name !== '__setattr__' && name !== 'vars') return null;
  const [target, attribute] = tree.children(tree.child(node, 'arguments'));
  if (target === undefined) return null;
  const isLiteral =
    name === '__setattr__' && attribute !== undefined && stringValue(tree, attribute) !== null;
  if (isLiteral) return null;
  // `super().__setattr__(name, …)` writes to the receiver of the method around it.
  const object = tree.child(callee, 'object');
  if (name === '__setattr__' && tree.textOf(object).startsWith('super('))
    return classScopeAround(bound.scopeAt(node))?.symbol ?? null;
  return names.classOf(target) ?? classNamed(bound, target);
}

interface HandedOver {
  readonly owner: TypeName;
  /** Passed to a function of this module that sets attributes with computed names. */
  readonly isFilled: boolean;
}

/** `fill(self)`: classes whose methods pass their instance to code that may set attributes on it. */
function handedOver(bound: Bound, names: Names, call: NodeId): HandedOver[] {
  const { tree } = bound;
  const found: HandedOver[] = [];
  for (const argument of tree.children(tree.child(call, 'arguments'))) {
    const value = tree.kind(argument) === 'keyword_argument' ? tree.child(argument, 'value') : argument;
    if (tree.kind(value) !== 'identifier') continue;
    const name = tree.textOf(value);
    const method = lookup(name, bound.scopeAt(value));
    if (method?.bindings.get(name)?.receiver !== 'instance') continue;
    const owner = names.classOf(value);
    const callee = tree.child(call, 'function');
    if (owner !== null && !isKnownCallee(bound, callee, method))
      found.push({ owner, isFilled: setsAttributes(bound, callee) });
  }
  return found;
}

/** A function of this module that contains `setattr`, `__dict__` or `vars`, however it uses them. */
function setsAttributes({ tree, module }: Bound, callee: NodeId): boolean {
  if (tree.kind(callee) !== 'identifier') return false;
  const sites = module.bindings.get(tree.textOf(callee))?.sites ?? [];
  return sites.some(
    ({ form, node }) => form === 'function' && /\b(setattr|__dict__|vars)\b/.test(tree.textOf(node)),
  );
}

/** Builtins set no attributes, and attributes that a base sets are found at the base: `Base.__init__(self)`. */
function isKnownCallee(bound: Bound, callee: NodeId, method: Scope): boolean {
  const { tree } = bound;
  if (tree.kind(callee) === 'identifier') {
    const name = tree.textOf(callee);
    return visible.has(name) && lookup(name, bound.scopeAt(callee)) === null;
  }
  const object = dottedName(tree, tree.child(callee, 'object'))?.join('.');
  if (object === undefined) return false;
  const around = classScopeAround(method);
  return object === 'object' || (around !== null && heritageOf(tree, around.node).bases.includes(object));
}

function memberName(tree: SyntaxTree, callee: NodeId): string {
  return tree.kind(callee) === 'attribute' ? tree.textOf(tree.child(callee, 'attribute')) : '';
}

/** The innermost class around a scope. */
function classScopeAround(from: Scope): Scope | null {
  let scope: Scope | null = from;
  while (scope !== null && scope.kind !== 'class') scope = scope.parent;
  return scope;
}

/** The symbol path when the expression is the name of a class of this module. */
export function classNamed(bound: Bound, node: NodeId): string | null {
  const parts = dottedName(bound.tree, node);
  const root = parts?.[0];
  if (parts === null || root === undefined) return null;
  const scope = lookup(root, bound.scopeAt(node));
  const isClass =
    scope?.kind === 'module' && scope.bindings.get(root)?.sites.some(({ form }) => form === 'class');
  return isClass ? parts.join('.') : null;
}
