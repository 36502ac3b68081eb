import { isCondition } from './chains.ts';
import { dottedName, has, type Reading } from './reading.ts';
import type { Binding } from './scopes.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';

/** A variable or parameter, or `Class.field` of an instance. */
export type Receiver = Binding | string;

/** Calls that may tell the compiler more about their argument than its annotation does. */
const NARROWING_CALL = /^(?:is|has|can|assert|ensure|invariant|check|verify|validate|expect|guard|must)/i;

/** Keeps note of values whose type somewhere becomes another than the one they were declared with. */
export class Narrowing {
  readonly #reading: Reading;
  readonly #doubtful = new Set<Receiver>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  get isEmpty(): boolean {
    return this.#doubtful.size === 0;
  }

  isDoubtful(receiver: Receiver): boolean {
    return this.#doubtful.has(receiver);
  }

  doubt(receiver: Receiver): void {
    this.#doubtful.add(receiver);
  }

  /** Looks at a mention of `receiver`; `top` is the chain it starts, `node` the mention itself. */
  see(top: number, node: number, receiver: Receiver): void {
    if (top === node && this.#mayNarrow(node)) this.#doubtful.add(receiver);
  }

  #mayNarrow(node: number): boolean {
    const { tree } = this.#reading;
    const above = tree.parent[node] as number;
    const role = tree.role[node];
    if (tree.kind[above] === Kind.Binary) {
      return (
        (role === Role.right && has(tree, above, Flag.in)) ||
        (role === Role.left && has(tree, above, Flag.instanceof))
      );
    }
    if (tree.kind[above] !== Kind.Call || role !== Role.argument) return false;
    if (isCondition(this.#reading, above)) return true;
    const callee = dottedName(this.#reading, above + 1) ?? '';
    return NARROWING_CALL.test(callee.slice(callee.lastIndexOf('.') + 1));
  }
}
