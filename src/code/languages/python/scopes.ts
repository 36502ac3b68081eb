import { type NodeId, none } from '#code/languages/tree-sitter/syntax-tree.ts';

export type ScopeKind = 'module' | 'class' | 'function' | 'comprehension' | 'type-parameters';

export type BindingForm =
  | 'import'
  | 'function'
  | 'class'
  | 'parameter'
  | 'assignment'
  | 'update'
  | 'target'
  | 'type-alias'
  | 'type-parameter'
  | 'declaration'
  | 'handler';

/** One place that binds a name. */
export interface BindingSite {
  readonly form: BindingForm;
  /** The identifier. */
  readonly name: NodeId;
  /** The statement or construct that binds. */
  readonly node: NodeId;
  /** Annotation, or `none`. */
  readonly annotation: NodeId;
  /** The assigned value, when exactly this name gets exactly this value; or `none`. */
  readonly value: NodeId;
  /** The assigned value, even when this name gets only a part of it; or `none`. */
  readonly origin: NodeId;
}

export interface Binding {
  readonly sites: BindingSite[];
  /** What the first parameter of a method refers to. */
  receiver: 'instance' | 'class' | null;
  /** Tested with `isinstance` or matched against classes: its type depends on the place. */
  narrowed: boolean;
}

export class Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | null;
  readonly node: NodeId;
  /**
   * Symbol path of the definition this scope belongs to (`''` for the module); null inside a function, where nothing
   * is a definition.
   */
  readonly symbol: string | null;
  readonly bindings = new Map<string, Binding>();
  readonly globals = new Set<string>();
  readonly nonlocals = new Set<string>();
  /** Names that a `del` removes again. */
  readonly deleted = new Set<string>();
  isGenerator = false;
  /** The `return` statements and `yield` expressions of a function itself, in source order. */
  readonly returns: NodeId[] = [];
  readonly yields: NodeId[] = [];

  constructor(kind: ScopeKind, parent: Scope | null, node: NodeId, symbol: string | null) {
    this.kind = kind;
    this.parent = parent;
    this.node = node;
    this.symbol = symbol;
  }

  bind(name: string, site: BindingSite): Binding {
    let binding = this.bindings.get(name);
    if (binding === undefined) {
      binding = { sites: [], receiver: null, narrowed: false };
      this.bindings.set(name, binding);
    }
    binding.sites.push(site);
    return binding;
  }

  get module(): Scope {
    let scope: Scope = this;
    while (scope.parent !== null) scope = scope.parent;
    return scope;
  }

  /** The scope of `x := …` and `yield`: comprehensions pass them on. */
  get frame(): Scope {
    let scope: Scope = this;
    while (scope.kind === 'comprehension' && scope.parent !== null) scope = scope.parent;
    return scope;
  }

  /** Definitions of this scope are listed: the module, and classes that are not inside a function. */
  get isListed(): boolean {
    return (this.kind === 'module' || this.kind === 'class') && this.symbol !== null;
  }
}

/** The scope that binds `name` as seen from `from`; null when none in the file does. */
export function lookup(name: string, from: Scope): Scope | null {
  let scope: Scope | null = from;
  // Class scopes are visible only in their own body, not in the functions and comprehensions inside.
  let seesClass = true;
  while (scope !== null) {
    if (scope.kind !== 'class' || seesClass) {
      if (scope.globals.has(name)) return scope.module.bindings.has(name) ? scope.module : null;
      if (scope.bindings.has(name)) return scope;
    }
    if (scope.kind === 'function' || scope.kind === 'comprehension') seesClass = false;
    if (scope.kind === 'class') seesClass = false;
    scope = scope.parent;
  }
  return null;
}

export function site(form: BindingForm, name: NodeId, node: NodeId, origin = none): BindingSite {
  return { form, name, node, annotation: none, value: none, origin };
}
