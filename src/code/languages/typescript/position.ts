import type { Placed } from './placement.ts';
import type { Reading } from './reading.ts';
import { type Binding, type Scope, typeSpace, valueSpace } from './scopes.ts';

/** A position in a walk over the tree: which binding each name has there, and which definition encloses it. */
export class Position {
  readonly #after: Int32Array;
  readonly #scopes: readonly Scope[];
  readonly #placed: readonly Placed[];
  /** The current binding of each name, by space, and those of the outer scopes. */
  readonly #values: (Binding | undefined)[];
  readonly #types: (Binding | undefined)[];
  readonly #shadowed: (Binding | undefined)[] = [];
  #scope: Scope;
  #nextScope = 1;
  /** The enclosing definitions, innermost last. */
  readonly #around: Placed[] = [];
  #nextPlaced = 0;
  #node = 0;

  constructor(reading: Reading, placed: readonly Placed[]) {
    this.#after = reading.tree.after;
    this.#scopes = reading.scopes.all;
    this.#placed = placed;
    this.#values = new Array(reading.names.count);
    this.#types = new Array(reading.names.count);
    this.#scope = reading.scopes.module;
    this.#enter(this.#scope);
  }

  value(name: number): Binding | undefined {
    return this.#values[name];
  }

  type(name: number): Binding | undefined {
    return this.#types[name];
  }

  /** Symbol path of the enclosing definition, `''` at module level. Computed on demand: most nodes are not uses. */
  get definition(): string {
    this.#moveToDefinition(this.#node);
    return this.#around.length === 0 ? '' : (this.#around[this.#around.length - 1] as Placed).path;
  }

  /** Moves forward to `node` and skips what starts and ends in between. */
  moveTo(node: number): void {
    const after = this.#after;
    const scopes = this.#scopes;
    for (; this.#nextScope < scopes.length; this.#nextScope++) {
      const next = scopes[this.#nextScope] as Scope;
      if (next.node >= node) break;
      if ((after[next.node] as number) <= node || next.bindings.length === 0) continue;
      this.#leaveUntil(next.node);
      this.#enter(next);
      this.#scope = next;
    }
    this.#leaveUntil(node);
    this.#node = node;
  }

  #moveToDefinition(node: number): void {
    const placed = this.#placed;
    for (; this.#nextPlaced < placed.length; this.#nextPlaced++) {
      const next = placed[this.#nextPlaced] as Placed;
      if (next.node > node) break;
      if ((this.#after[next.node] as number) <= node) continue;
      this.#leaveDefinitions(next.node);
      // Of several names of one pattern the first represents all of them.
      if (this.#around.at(-1)?.node !== next.node) this.#around.push(next);
    }
    this.#leaveDefinitions(node);
  }

  #leaveDefinitions(node: number): void {
    const around = this.#around;
    while (around.length > 0 && node >= (this.#after[(around[around.length - 1] as Placed).node] as number))
      around.pop();
  }

  /** Leaves the scopes that end before `node`. Scopes without bindings were never entered. */
  #leaveUntil(node: number): void {
    while (node >= (this.#after[this.#scope.node] as number)) {
      this.#leave(this.#scope);
      let scope = this.#scope.parent as Scope;
      while (scope.bindings.length === 0 && scope.parent !== null) scope = scope.parent;
      this.#scope = scope;
    }
  }

  #enter(scope: Scope): void {
    const { bindings } = scope;
    for (let i = 0; i < bindings.length; i++) {
      const binding = bindings[i] as Binding;
      const { name, space } = binding;
      this.#shadowed.push(this.#values[name], this.#types[name]);
      if ((space & valueSpace) !== 0) this.#values[name] = binding;
      if ((space & typeSpace) !== 0) this.#types[name] = binding;
    }
  }

  #leave(scope: Scope): void {
    for (let i = scope.bindings.length - 1; i >= 0; i--) {
      const { name } = scope.bindings[i] as Binding;
      this.#types[name] = this.#shadowed.pop();
      this.#values[name] = this.#shadowed.pop();
    }
  }
}
