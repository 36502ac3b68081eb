import type { Names } from './names.ts';
import type { FlatTree } from './tree/flat-tree.ts';
import { Flag, Kind, kindCount, Role } from './tree/grammar.ts';

/** A name can stand for a value, for a type, or for both. */
export const VALUE = 1;
export const TYPE = 2;

/** Nodes that open a scope. Parameters and body of a function are two: defaults do not see the body. */
const opensScope = kindTable([
  Kind.Program,
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
]);
/** Where `var` and function declarations in blocks end up. */
const hoists = kindTable([Kind.Program, Kind.FunctionBody, Kind.StaticBlock, Kind.ModuleBlock]);
const isPattern = kindTable([
  Kind.ObjectPattern,
  Kind.PatternProperty,
  Kind.ArrayPattern,
  Kind.PatternRest,
  Kind.PatternDefault,
]);

/** What a name declares: enough to find its definition and its type again. */
export interface Binding {
  readonly name: number;
  /** The identifier. */
  readonly node: number;
  /** The declaring construct: variable, parameter, function, class, import… */
  readonly origin: number;
  readonly scope: number;
  readonly space: number;
}

export interface Scope {
  readonly node: number;
  readonly parent: number;
  readonly bindings: Binding[];
  /** Symbol path of the namespace this is the body of, `''` for the module, null for a local scope. */
  readonly container: string | null;
}

/** The scopes of a file in the order of the tree, every binding in its place. */
export class Scopes {
  readonly all: Scope[] = [];
  /** Names that some local scope binds: what such a name means depends on where it stands. */
  readonly boundLocally: Uint8Array;
  /** Names that `declare global` adds for everybody. */
  readonly declaredGlobals = new Set<number>();
  /** Number of the name of each reference and binding node. */
  readonly nameOf: Int32Array;

  readonly #tree: FlatTree;

  constructor(tree: FlatTree, names: Names) {
    this.#tree = tree;
    this.nameOf = nameColumn(tree, names);
    this.boundLocally = new Uint8Array(names.count + 1);
    this.#collect(tree, names);
  }

  get module(): Scope {
    return this.all[0] as Scope;
  }

  #collect(tree: FlatTree, names: Names): void {
    const { kind, parent, after, count } = tree;
    let current = -1;
    for (let node = 0; node < count; node++) {
      while (current > 0 && node >= (after[(this.all[current] as Scope).node] as number)) {
        current = (this.all[current] as Scope).parent;
      }
      const nodeKind = kind[node] as number;
      if (opensScope[nodeKind] === 1) {
        this.all.push({
          node,
          parent: current,
          bindings: [],
          container: this.#container(tree, names, node, current),
        });
        current = this.all.length - 1;
      } else if (nodeKind === Kind.Binding) {
        let origin = parent[node] as number;
        while (isPattern[kind[origin] as number] === 1) origin = parent[origin] as number;
        this.#declare(tree, node, origin, current);
      } else if (nodeKind === Kind.Name && kind[parent[node] as number] === Kind.EnumMember) {
        this.#bind(node, parent[node] as number, current, VALUE);
      }
    }
  }

  #container(tree: FlatTree, names: Names, node: number, current: number): string | null {
    if (node === 0) return '';
    const kind = tree.kind[node];
    const above = tree.parent[node] as number;
    if (kind === Kind.Namespace) {
      const outer = (this.all[current] as Scope).container;
      if (outer === null) return null;
      const name = names.ofNode(tree, node + 1);
      return outer === '' ? name : `${outer}.${name}`;
    }
    if (kind === Kind.ModuleBlock && tree.kind[above] === Kind.Namespace)
      return (this.all[current] as Scope).container;
    return null;
  }

  #declare(tree: FlatTree, node: number, origin: number, current: number): void {
    const { kind, flags, parent } = tree;
    const outer = (this.all[current] as Scope).parent;
    switch (kind[origin]) {
      case Kind.Variable: {
        const isVar = ((flags[parent[origin] as number] as number) & Flag.var) !== 0;
        this.#bind(node, origin, isVar ? this.#hoisted(tree, current) : current, VALUE);
        return;
      }
      case Kind.Function:
        if (((flags[origin] as number) & Flag.declaration) === 0) this.#bind(node, origin, current, VALUE);
        else this.#bind(node, origin, this.#functionTarget(tree, outer), VALUE);
        return;
      case Kind.Class:
        this.#bind(
          node,
          origin,
          ((flags[origin] as number) & Flag.declaration) === 0 ? current : outer,
          VALUE | TYPE,
        );
        return;
      case Kind.Enum:
        this.#bind(node, origin, outer, VALUE | TYPE);
        return;
      case Kind.Namespace:
        this.#bind(node, origin, outer, VALUE | TYPE);
        return;
      case Kind.TypeAlias:
      case Kind.Interface:
        this.#bind(node, origin, outer, TYPE);
        return;
      case Kind.TypeParameter:
        this.#bind(node, origin, this.#typeParameterScope(tree, origin, current), TYPE);
        return;
      case Kind.MappedType:
        this.#bind(node, origin, current, TYPE);
        return;
      case Kind.ImportName:
      case Kind.ImportDefault:
      case Kind.ImportNamespace:
      case Kind.ImportEquals:
        this.#bind(node, origin, current, VALUE | TYPE);
        return;
      default:
        this.#bind(node, origin, current, VALUE);
    }
  }

  #bind(node: number, origin: number, scope: number, space: number): void {
    const target = this.all[scope] as Scope;
    const name = this.nameOf[node] as number;
    target.bindings.push({ name, node, origin, scope, space });
    if (target.container !== null) return;
    if (this.#tree.kind[this.#tree.parent[target.node] as number] === Kind.GlobalModule)
      this.declaredGlobals.add(name);
    else this.boundLocally[name] = 1;
  }

  #hoisted(tree: FlatTree, from: number): number {
    let scope = from;
    while (hoists[tree.kind[(this.all[scope] as Scope).node] as number] !== 1)
      scope = (this.all[scope] as Scope).parent;
    return scope;
  }

  /** A function in a block of the module itself is visible to the module in scripts: it counts as a definition. */
  #functionTarget(tree: FlatTree, outer: number): number {
    const hoisted = this.#hoisted(tree, outer);
    return (this.all[hoisted] as Scope).container === null ? outer : hoisted;
  }

  /** `infer U` belongs to the conditional type it stands in. */
  #typeParameterScope(tree: FlatTree, origin: number, current: number): number {
    if (tree.kind[tree.parent[origin] as number] !== Kind.InferType) return current;
    for (let scope = current; scope > 0; scope = (this.all[scope] as Scope).parent) {
      if (tree.kind[(this.all[scope] as Scope).node] === Kind.ConditionalType) return scope;
    }
    return current;
  }
}

function nameColumn(tree: FlatTree, names: Names): Int32Array {
  const { kind, role, parent, start, end, count } = tree;
  const column = new Int32Array(count);
  for (let node = 0; node < count; node++) {
    const nodeKind = kind[node] as number;
    if (nodeKind === Kind.Reference || nodeKind === Kind.Binding) {
      column[node] = names.at(start[node] as number, end[node] as number);
    } else if (
      nodeKind === Kind.Name &&
      role[node] === Role.key &&
      kind[parent[node] as number] === Kind.EnumMember
    ) {
      column[node] = names.at(start[node] as number, end[node] as number);
    }
  }
  return column;
}

function kindTable(kinds: readonly number[]): Uint8Array {
  const table = new Uint8Array(kindCount);
  for (const kind of kinds) table[kind] = 1;
  return table;
}
