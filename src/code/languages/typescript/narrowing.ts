import { remembered } from '#lib/remembered.ts';
import { isCondition } from './chains.ts';
import { dottedName, has, type Reading } from './reading.ts';
import type { Binding } from './scopes.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';

/** A variable or parameter, a name of the module, or `Class.field` of an instance. */
export type Receiver = Binding | string;

/** Calls that may narrow the type of their argument. */
const narrowingCall = /^(?:is|has|can|assert|ensure|invariant|check|verify|validate|expect|guard|must)/i;

/** Methods that may narrow the type of their own object: `isAdmin(): this is Admin`. */
const narrowingMethod = /^(?:is|has|assert)[A-Z_]/;

/** Records values whose type is narrowed somewhere. */
export class Narrowing {
  readonly #reading: Reading;
  readonly #doubtful = new Set<Receiver>();
  /** Members of a value that are narrowed, though the value is not: `'duration' in options.animation`. */
  readonly #doubtfulMembers = new Map<Receiver, Set<string>>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  get isEmpty(): boolean {
    return this.#doubtful.size === 0 && this.#doubtfulMembers.size === 0;
  }

  /** `path`: the members that are read from the value. */
  isDoubtful(receiver: Receiver, path: readonly string[]): boolean {
    if (this.#doubtful.has(receiver)) return true;
    const members = this.#doubtfulMembers.get(receiver);
    return members !== undefined && path.some((_, at) => at > 0 && members.has(path.slice(0, at).join('.')));
  }

  doubt(receiver: Receiver): void {
    this.#doubtful.add(receiver);
  }

  /** Inspects a use of `receiver`: `top` is the chain that starts there, `members` the members it reads. */
  see(top: number, members: readonly string[], receiver: Receiver): void {
    this.seeMember(top, members, receiver);
    const narrows = members.length === 0 ? this.#mayNarrow(top) : this.#isNarrowingCall(top, members);
    if (narrows) this.#doubtful.add(receiver);
  }

  /** The same for `this` and names of the module, of which only members count as narrowed. */
  seeMember(top: number, members: readonly string[], receiver: Receiver): void {
    if (members.length > 0 && this.#mayNarrow(top))
      remembered(this.#doubtfulMembers, receiver, () => new Set<string>()).add(members.join('.'));
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
