import { type NodeId, none } from '#code/languages/tree-sitter/syntax-tree.ts';
import { Scope } from './scopes.ts';

/** What the position of a node implies; most marks hold for the whole subtree. */
export const Mark = {
  /** In an annotation. */
  type: 1,
  /** In a block that expects AttributeError or NameError. */
  guarded: 2,
  /** In an `if`, `try`, loop or `match`: may not run. */
  conditional: 4,
  /** In `if TYPE_CHECKING`. */
  typeChecking: 8,
  /** An identifier that is not a reference: it binds, or names a member, keyword or module. */
  label: 16,
  /** An attribute or subscript that is assigned. */
  written: 32,
  /** In a block that expects TypeError: calls need not fit. */
  misfitting: 128,
  /** A function body: it runs later, so a guard around the function does not protect it. */
  detached: 64,
} as const;

const unprotected = Mark.guarded | Mark.conditional | Mark.misfitting;
const inherited = unprotected | Mark.type | Mark.typeChecking;

/**
 * Scope, owner and marks of every node. A parent sets them in advance for children that differ; all other nodes take them from their parent
 * when `inherit` reaches them in preorder.
 */
export class Surroundings {
  readonly module = new Scope('module', null, 0, '');
  readonly #scopes: (Scope | null)[] = [null, this.module];
  readonly #scopeNumbers = new Map<Scope, number>([[this.module, 1]]);
  readonly #owners: string[] = [''];
  /** Numbers of the scope and owner per node; 0 means "as the parent" until the node has been reached. */
  readonly #scopeIds: Int32Array;
  readonly #ownerIds: Int32Array;
  readonly #marks: Uint8Array;

  constructor(size: number) {
    this.#scopeIds = new Int32Array(size);
    this.#ownerIds = new Int32Array(size);
    this.#marks = new Uint8Array(size);
    this.#scopeIds[0] = 1;
  }

  inherit(node: NodeId, parent: NodeId): void {
    const own = this.#marks[node] ?? 0;
    let passed = (this.#marks[parent] ?? 0) & inherited;
    if (own & Mark.detached) passed &= ~unprotected;
    this.#marks[node] = own | passed;
    if (this.#scopeIds[node] === 0) this.#scopeIds[node] = this.#scopeIds[parent] ?? 0;
    if (this.#ownerIds[node] === 0) this.#ownerIds[node] = this.#ownerIds[parent] ?? 0;
  }

  enter(scope: Scope, nodes: readonly NodeId[]): void {
    let number = this.#scopeNumbers.get(scope);
    if (number === undefined) {
      number = this.#scopes.push(scope) - 1;
      this.#scopeNumbers.set(scope, number);
    }
    for (const node of nodes) if (node !== none) this.#scopeIds[node] = number;
  }

  own(node: NodeId, symbol: string): void {
    this.#ownerIds[node] = this.#owners.push(symbol) - 1;
  }

  mark(node: NodeId, mark: number): void {
    if (node !== none) this.#marks[node] = (this.#marks[node] ?? 0) | mark;
  }

  hasMark(node: NodeId, mark: number): boolean {
    return ((this.#marks[node] ?? 0) & mark) !== 0;
  }

  scopeAt(node: NodeId): Scope {
    return this.#scopes[this.#scopeIds[node] ?? 0] ?? this.module;
  }

  ownerAt(node: NodeId): string {
    return this.#owners[this.#ownerIds[node] ?? 0] ?? '';
  }
}
