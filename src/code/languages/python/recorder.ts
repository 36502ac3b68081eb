import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { BindingSite, Scope } from './scopes.ts';
import { site } from './scopes.ts';
import { Mark, type Surroundings } from './surroundings.ts';

/** An attribute that is assigned: `self.x = 1`. */
export interface AttributeWrite {
  readonly attribute: NodeId;
  readonly site: BindingSite;
}

/** A binding in a listed scope, in source order; definitions are built from these. */
export interface Declaration {
  readonly scope: Scope;
  readonly name: string;
  readonly site: BindingSite;
  /** Created inside a function with `global`. */
  readonly remote: boolean;
}

/** Records which place binds which name. */
export class Recorder {
  readonly declarations: Declaration[] = [];
  readonly attributeWrites: AttributeWrite[] = [];
  readonly #tree: SyntaxTree;
  readonly #around: Surroundings;
  readonly #pendingNonlocals: { scope: Scope; name: string; site: BindingSite }[] = [];

  constructor(tree: SyntaxTree, around: Surroundings) {
    this.#tree = tree;
    this.#around = around;
  }

  bindOne(target: NodeId, bound: BindingSite): void {
    if (this.#tree.kind(target) === 'identifier') {
      this.bindName(target, bound);
    } else {
      this.#around.mark(target, Mark.written);
      this.attributeWrites.push({ attribute: target, site: bound });
    }
  }

  /** Binds every name of a target list, however nested. */
  bindTargets(target: NodeId, node: NodeId, form: 'target' | 'handler' = 'target', origin = none): void {
    const tree = this.#tree;
    const pending = target === none ? [] : [target];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      switch (tree.kind(next)) {
        case 'identifier':
          this.bindName(next, site(form, next, node, origin));
          break;
        case 'attribute':
          this.bindOne(next, site(form, next, node, origin));
          break;
        case 'subscript':
          this.#around.mark(next, Mark.written);
          break;
        default:
          for (const child of tree.children(next).reverse()) pending.push(child);
      }
    }
  }

  bindName(name: NodeId, bound: BindingSite, scope?: Scope): void {
    this.#around.mark(name, Mark.label);
    this.bindInto(name, bound, scope);
  }

  bindInto(name: NodeId, bound: BindingSite, into = this.#around.scopeAt(bound.node)): void {
    const text = this.#tree.textOf(name);
    if (into.nonlocals.has(text)) {
      this.#pendingNonlocals.push({ scope: into, name: text, site: bound });
      return;
    }
    const remote = into.globals.has(text);
    const scope = remote ? into.module : into;
    scope.bind(text, bound);
    if (scope.isListed) this.declarations.push({ scope, name: text, site: bound, remote });
  }

  settleNonlocals(): void {
    for (const { scope, name, site: bound } of this.#pendingNonlocals) {
      let outer = scope.parent;
      while (outer !== null && !(outer.kind === 'function' && outer.bindings.has(name))) outer = outer.parent;
      outer?.bind(name, bound);
    }
  }
}
