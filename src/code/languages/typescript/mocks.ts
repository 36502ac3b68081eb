import { callShape } from './calls.ts';
import { longestPath } from './chains.ts';
import { expectedCall, spiedMember } from './expectations.ts';
import type { Position } from './position.ts';
import { childIn, type Reading } from './reading.ts';
import type { Binding } from './scopes.ts';
import { Kind, Role } from './tree/grammar.ts';
import { instanceRoot, type Root, type UseList } from './use-list.ts';

/** Members that tests replace by mocks, and how they expect them to be called. */
export class Mocks {
  readonly #reading: Reading;
  readonly #position: Position;
  readonly #list: UseList;
  /** Variables that hold a mock, and what it replaces. */
  readonly #held = new Map<Binding, { readonly root: Root; readonly path: readonly string[] }>();

  constructor(reading: Reading, position: Position, list: UseList) {
    this.#reading = reading;
    this.#position = position;
    this.#list = list;
  }

  /** `jest.spyOn(store, 'save')` reads a member; the variable that holds the mock represents it. */
  spied(top: number, root: Root, path: readonly string[]): void {
    const spied = spiedMember(this.#reading, top);
    if (spied === null) return;
    const { tree, names } = this.#reading;
    const whole = [...root.prefix, ...path];
    // `jest.spyOn(Store.prototype, 'save')`
    const isPrototype = root.rootIs === 'name' && whole.at(-1) === 'prototype';
    const from = isPrototype ? instanceRoot([root.root, ...whole.slice(0, -1)].join('.'), null) : root;
    const member = isPrototype ? [spied.name] : [...whole, spied.name];
    if (member.length > longestPath) return;
    this.#list.add(spied.at, spied.at, from, member, 'read', null, false, this.#position.definition);
    const variable = tree.parent[spied.call] as number;
    const id = tree.kind[variable] === Kind.Variable ? childIn(tree, variable, Role.id) : -1;
    if (id < 0 || tree.kind[id] !== Kind.Binding) return;
    const holder = this.#position.value(names.numberOf(id));
    if (holder?.node === id) this.#held.set(holder, { root: from, path: member });
  }

  /** `expect(spy).toHaveBeenCalledWith(…)` */
  expected(node: number, binding: Binding): void {
    const mock = this.#held.get(binding);
    const call = mock === undefined ? -1 : expectedCall(this.#reading, node);
    if (mock === undefined || call < 0) return;
    const shape = { ...callShape(this.#reading, call), result: 'expected' as const };
    this.#list.add(node, call, mock.root, mock.path, 'call', shape, false, this.#position.definition);
  }
}
