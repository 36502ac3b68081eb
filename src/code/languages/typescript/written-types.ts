import { requiredParameters } from './callbacks.ts';
import { noCall } from './calls.ts';
import type { Position } from './position.ts';
import { childIn, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';
import { instanceRoot, type Root, type UseList } from './use-list.ts';

const noMembers: readonly string[] = [];

/** What a written type says beside its name: members, keys, and the parameters of a function that has it. */
export class WrittenTypes {
  readonly #reading: Reading;
  readonly #position: Position;
  readonly #list: UseList;

  constructor(reading: Reading, position: Position, list: UseList) {
    this.#reading = reading;
    this.#position = position;
    this.#list = list;
  }

  /** `Props['mode']` names a member of the type. */
  indexed(reference: number, type: string): void {
    const { tree, text } = this.#reading;
    const index = tree.after[reference] as number;
    const [, , name] = /^(['"])([\w$]+)\1$/.exec(text.slice(tree.start[index], tree.end[index])) ?? [];
    if (name === undefined || index >= (tree.after[tree.parent[reference] as number] as number)) return;
    const root = instanceRoot(type, null);
    this.#list.add(index, index, root, [name], 'type', null, false, this.#position.definition);
  }

  /** `const format: Format = (user, options) => …`: the type determines how many parameters a function may require. */
  givenFunction(node: number, reference: number, root: Root): void {
    const { tree } = this.#reading;
    const above = tree.parent[reference] as number;
    if (tree.kind[above] !== Kind.Variable || tree.role[reference] !== Role.type) return;
    const positional = requiredParameters(this.#reading, childIn(tree, above, Role.init));
    if (positional === 0) return;
    const call = { ...noCall, positional };
    this.#list.add(node, node, root, noMembers, 'type', call, false, this.#position.definition);
  }

  /** `Pick<Props, 'mode' | 'size'>` names members of the type. */
  picked(reference: number, type: string): void {
    const { tree, text, names } = this.#reading;
    const above = tree.parent[reference] as number;
    // A module may define its own.
    if (this.#position.type(names.numberOf(above + 1)) !== undefined) return;
    const isPick =
      tree.kind[above] === Kind.TypeReference &&
      tree.kind[above + 1] === Kind.Reference &&
      names.ofNode(above + 1) === 'Pick';
    const keys = tree.after[reference] as number;
    if (
      !isPick ||
      keys >= (tree.after[above] as number) ||
      childIn(tree, above, Role.typeArgument) !== reference
    )
      return;
    const root = instanceRoot(type, null);
    for (let node = keys; node < (tree.after[keys] as number); node++) {
      const [, , name] = /^(['"])([\w$]+)\1$/.exec(text.slice(tree.start[node], tree.end[node])) ?? [];
      if (name === undefined || tree.kind[node] !== Kind.String) continue;
      this.#list.add(node, node, root, [name], 'type', null, false, this.#position.definition);
    }
  }
}
