import type { Names } from './names.ts';
import type { FlatTree } from './tree/flat-tree.ts';
import { Flag, Kind, kindTable } from './tree/grammar.ts';

/** A name can be a value, a type, or both. */
export const valueSpace = 1;
export const typeSpace = 2;

const nothing = 0;
const refers = 1;
const binds = 2;
const opens = 3;
const lists = 4;

/** The effect of each kind of node on scopes. Parameters and body of a function are two scopes: defaults do not see the body. */
const concerns = kindTable(
  [
    Kind.Function,
    Kind.Arrow,
    Kind.FunctionBody,
    Kind.Block,
    Kind.For,
    Kind.Switch,
    Kind.Catch,
    Kind.Class,
    Kind.StaticBlock,
    Kind.Enum,
    Kind.Namespace,
    Kind.ModuleBlock,
    Kind.TypeAlias,
    Kind.Interface,
    Kind.FunctionType,
    Kind.ConstructorType,
    Kind.MethodSignature,
    Kind.CallSignature,
    Kind.ConstructSignature,
    Kind.MappedType,
    Kind.ConditionalType,
  ],
  opens,
);
concerns[Kind.Reference] = refers;
concerns[Kind.Binding] = binds;
concerns[Kind.EnumMember] = lists;
/** The scopes that `var` and function declarations in blocks are hoisted to. */
const hoists = kindTable([Kind.Program, Kind.FunctionBody, Kind.StaticBlock, Kind.ModuleBlock]);
const isPattern = kindTable([
  Kind.ObjectPattern,
  Kind.PatternProperty,
  Kind.ArrayPattern,
  Kind.PatternRest,
  Kind.PatternDefault,
]);

/** A declared name: enough to find its definition and its type. */
export interface Binding {
  readonly name: number;
  /** The identifier. */
  readonly node: number;
  /** The declaring construct: variable, parameter, function, class, import… */
  readonly origin: number;
  readonly space: number;
  /** The container of its scope. */
  readonly container: string | null;
  /** Set by `Instances`: the named type of its values; undefined until it is computed. */
  type: string | null | undefined;
}

export interface Scope {
  readonly node: number;
  readonly parent: Scope | null;
  /** Most scopes bind nothing: those share one empty list. */
  bindings: Binding[];
  /** Symbol path of the namespace whose body this is, `''` for the module, null for a local scope. */
  readonly container: string | null;
}

const noBindings: Binding[] = [];

/** 1 for each name that some local scope binds; reused from file to file. */
let boundLocally = new Uint8Array(1 << 10);

/** The scopes of a file in tree order, with their bindings. Valid until the next instance is created. */
export class Scopes {
  readonly all: Scope[] = [];
  readonly module: Scope;
  /** Names that `declare global` adds for all files. */
  readonly declaredGlobals = new Set<number>();
  readonly #tree: FlatTree;
  readonly #names: Names;
  /** Types of the module, and of its namespaces. */
  readonly #ofModule = new Set<number>();
  readonly #inNamespaces = new Set<number>();

  constructor(tree: FlatTree, names: Names) {
    this.#tree = tree;
    this.#names = names;
    this.module = { node: 0, parent: null, bindings: noBindings, container: '' };
    this.all.push(this.module);
    boundLocally.fill(0);
    this.#collect();
  }

  /** Whether a local scope binds the name, or a namespace as well as the module: then its meaning depends on the place. */
  isBoundLocally(name: number): boolean {
    return boundLocally[name] === 1 || (this.#inNamespaces.has(name) && this.#ofModule.has(name));
  }

  /** Whether the file has a type of this name. */
  bindsType(name: number): boolean {
    return this.isBoundLocally(name) || this.#ofModule.has(name) || this.#inNamespaces.has(name);
  }

  #collect(): void {
    const { kind, parent, after, count } = this.#tree;
    const names = this.#names;
    let current = this.module;
    let currentEnd = count;
    for (let node = 1; node < count; node++) {
      const concern = concerns[kind[node] as number];
      if (concern === nothing) continue;
      if (concern === refers) {
        // Every referenced name gets its number before uses are collected.
        names.numberOf(node);
        continue;
      }
      while (node >= currentEnd) {
        current = current.parent as Scope;
        currentEnd = after[current.node] as number;
      }
      if (concern === binds) {
        let origin = parent[node] as number;
        while (isPattern[kind[origin] as number] === 1) origin = parent[origin] as number;
        this.#declare(node, origin, current);
      } else if (concern === opens) {
        current = { node, parent: current, bindings: noBindings, container: this.#container(node, current) };
        currentEnd = after[node] as number;
        this.all.push(current);
      } else {
        this.#enumMember(node, current);
      }
    }
  }

  /** Inside an enum its members are visible by their bare names. */
  #enumMember(member: number, current: Scope): void {
    const key = member + 1;
    if (this.#tree.kind[key] !== Kind.Name) return;
    this.#bind(key, member, current, valueSpace);
  }

  #container(node: number, current: Scope): string | null {
    const tree = this.#tree;
    if (current.container === null) return null;
    if (tree.kind[node] === Kind.Namespace) {
      const name = this.#names.ofNode(node + 1);
      return current.container === '' ? name : `${current.container}.${name}`;
    }
    const isNamespaceBody =
      tree.kind[node] === Kind.ModuleBlock && tree.kind[tree.parent[node] as number] === Kind.Namespace;
    return isNamespaceBody ? current.container : null;
  }

  #declare(node: number, origin: number, current: Scope): void {
    const { kind, flags, parent } = this.#tree;
    const outer = current.parent ?? current;
    const isDeclaration = ((flags[origin] as number) & Flag.declaration) !== 0;
    switch (kind[origin]) {
      case Kind.Variable: {
        const isVar = ((flags[parent[origin] as number] as number) & Flag.var) !== 0;
        this.#bind(node, origin, isVar ? this.#hoisted(current) : current, valueSpace);
        return;
      }
      case Kind.Function:
        this.#bind(node, origin, isDeclaration ? this.#functionTarget(outer) : current, valueSpace);
        return;
      case Kind.Class:
        this.#bind(node, origin, isDeclaration ? outer : current, valueSpace | typeSpace);
        return;
      case Kind.Enum:
        this.#bind(node, origin, outer, valueSpace | typeSpace);
        return;
      case Kind.Namespace:
        // A namespace contains types, but its own name is not one: `Array` beside `namespace Array` is still the global one.
        this.#bind(node, origin, outer, valueSpace);
        return;
      case Kind.TypeAlias:
      case Kind.Interface:
        this.#bind(node, origin, outer, typeSpace);
        return;
      case Kind.TypeParameter:
        this.#bind(node, origin, this.#typeParameterScope(origin, current), typeSpace);
        return;
      case Kind.MappedType:
        this.#bind(node, origin, current, typeSpace);
        return;
      case Kind.ImportName:
      case Kind.ImportDefault:
      case Kind.ImportNamespace:
      case Kind.ImportEquals:
        this.#bind(node, origin, current, valueSpace | typeSpace);
        return;
      default:
        this.#bind(node, origin, current, valueSpace);
    }
  }

  #bind(node: number, origin: number, scope: Scope, space: number): void {
    const { kind, parent } = this.#tree;
    const name = this.#names.numberOf(node);
    const { container } = scope;
    const binding: Binding = { name, node, origin, space, container, type: undefined };
    if (scope.bindings === noBindings) scope.bindings = [binding];
    else scope.bindings.push(binding);
    if (container !== null) {
      if ((space & typeSpace) !== 0) (container === '' ? this.#ofModule : this.#inNamespaces).add(name);
      return;
    }
    if (kind[parent[scope.node] as number] === Kind.GlobalModule) this.declaredGlobals.add(name);
    else {
      if (name >= boundLocally.length) widen(name);
      boundLocally[name] = 1;
    }
  }

  #hoisted(from: Scope): Scope {
    let scope = from;
    while (hoists[this.#tree.kind[scope.node] as number] !== 1) scope = scope.parent as Scope;
    return scope;
  }

  /** In scripts a function in a block of the module is visible to the module: it counts as a definition. */
  #functionTarget(outer: Scope): Scope {
    const hoisted = this.#hoisted(outer);
    return hoisted.container === null ? outer : hoisted;
  }

  /** `infer U` belongs to the enclosing conditional type. */
  #typeParameterScope(origin: number, current: Scope): Scope {
    const { kind, parent } = this.#tree;
    if (kind[parent[origin] as number] !== Kind.InferType) return current;
    for (let scope: Scope | null = current; scope !== null; scope = scope.parent) {
      if (kind[scope.node] === Kind.ConditionalType) return scope;
    }
    return current;
  }
}

function widen(name: number): void {
  const wider = new Uint8Array(Math.max(boundLocally.length * 2, name + 1));
  wider.set(boundLocally);
  boundLocally = wider;
}
