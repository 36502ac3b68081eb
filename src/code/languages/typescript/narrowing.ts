import { isCondition } from './chains.ts';
import { dottedName, has, type Reading } from './reading.ts';
import type { Binding } from './scopes.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';

/** A variable or parameter, or `Class.field` of an instance. */
export type Receiver = Binding | string;

/** Calls that may narrow the type of their argument. */
const narrowingCall = /^(?:is|has|can|assert|ensure|invariant|check|verify|validate|expect|guard|must)/i;

/** Methods that may narrow the type of their own object: `isAdmin(): this is Admin`. */
const narrowingMethod = /^(?:is|has|assert)[A-Z_]/;

/** Records values whose type is narrowed somewhere. */
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

  /** Inspects a use of `receiver`: `top` is the chain that starts there, `members` the members it reads. */
  see(top: number, members: readonly string[], receiver: Receiver): void {
    const narrows = members.length === 0 ? this.#mayNarrow(top) : this.#isNarrowingCall(top, members);
    if (narrows) this.#doubtful.add(receiver);
  }

  #isNarrowingCall(top: number, members: readonly string[]): boolean {
    const { tree } = this.#reading;
    if (members.length !== 1 || tree.role[top] !== Role.callee) return false;
    return narrowingMethod.test(members[0] as string);
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
    return narrowingCall.test(callee.slice(callee.lastIndexOf('.') + 1));
  }
}
