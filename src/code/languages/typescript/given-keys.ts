import { elementOf, takenArgument } from '#code/languages/shared/results.ts';
import { unannotated } from './callbacks.ts';
import { noCall, objectArgument } from './calls.ts';
import { longestPath } from './chains.ts';
import { givenTo } from './given-objects.ts';
import type { Instances } from './instances.ts';
import type { LiteralList } from './literal-list.ts';
import type { Position } from './position.ts';
import { childIn, childrenIn, isList, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';
import { memberName } from './types.ts';
import { instanceRoot, nameRoot, type Root, type UseList } from './use-list.ts';
import { isContainer, valuePath } from './value-path.ts';

const noMembers: readonly string[] = [];

/** The keys of object literals that are given to something with a type. */
export class GivenKeys {
  readonly #reading: Reading;
  readonly #instances: Instances;
  readonly #position: Position;
  readonly #list: UseList;
  readonly #literals: LiteralList;

  constructor(
    reading: Reading,
    instances: Instances,
    position: Position,
    list: UseList,
    literals: LiteralList,
  ) {
    this.#reading = reading;
    this.#instances = instances;
    this.#position = position;
    this.#list = list;
    this.#literals = literals;
  }

  /** `const user: User = { name }` may set only members of the type, and must set all required ones. */
  typedObject(node: number): void {
    const given = givenTo(this.#reading, node);
    const type = given === null ? null : this.#instances.ofAnnotation(given.type);
    if (given === null || type === null || isContainer(type)) return;
    const object = objectArgument(this.#reading, node, 0);
    // After a spread the compiler allows keys that the type does not have.
    if (object.open) return;
    this.#handlers(node, type);
    this.#givenKeys(node, instanceRoot(type, null), noMembers);
    if (!given.isWhole || /[|{]/.test(type)) return;
    const root = nameRoot(type.replace(/<.*$/s, ''));
    const call = { ...noCall, objects: [object] };
    this.#list.add(node, node, root, root.prefix, 'type', call, false, this.#position.definition);
  }

  /** `const plugin: Plugin = { load(options) {} }`: the type determines what the functions of an object take. */
  #handlers(object: number, type: string): void {
    const { tree } = this.#reading;
    for (const property of childrenIn(tree, object, Role.member)) {
      const name = memberName(this.#reading, property);
      const value = childIn(tree, property, Role.value);
      if (name === null || value < 0) continue;
      for (const { node, parameter } of unannotated(this.#reading, value))
        this.#instances.give(node, [type, name, takenArgument(parameter)].join('.'));
    }
  }

  #givenKeys(object: number, root: Root, before: readonly string[]): void {
    const { tree } = this.#reading;
    for (const property of childrenIn(tree, object, Role.member)) {
      const key = childIn(tree, property, Role.key);
      const name = memberName(this.#reading, property);
      if (name === null) continue;
      const path = [...before, name];
      this.#list.add(key, key, root, path, 'type', null, false, this.#position.definition);
      const value = childIn(tree, property, Role.value);
      if (before.length === 0) this.#literals.take(value, root.root, name);
      this.#givenInside(value, root, path);
    }
  }

  /** An object, or a list of objects, that is the value of a key. */
  #givenInside(value: number, root: Root, path: readonly string[]): void {
    const { tree } = this.#reading;
    if (value < 0 || path.length >= longestPath) return;
    const isWhole = (object: number) =>
      tree.kind[object] === Kind.Object && !objectArgument(this.#reading, object, 0).open;
    if (isWhole(value)) this.#givenKeys(value, root, path);
    if (!isList(this.#reading, value)) return;
    const elements = instanceRoot([...valuePath(root, path), elementOf].join('.'), null);
    for (const element of childrenIn(tree, value, Role.element))
      if (isWhole(element)) this.#givenKeys(element, elements, noMembers);
  }

  /** `zoom({ animation: { duration: 1 } })`: the first level is compared with the parameter, deeper ones with the types of its keys. */
  takeArguments(call: number, called: readonly string[], receiver: Root['receiver']): void {
    const { tree, variant } = this.#reading;
    if (variant === 'js') return;
    for (const [index, argument] of childrenIn(tree, call, Role.argument).entries()) {
      if (tree.kind[argument] === Kind.Spread) return;
      if (tree.kind[argument] !== Kind.Object || objectArgument(this.#reading, argument, index).open)
        continue;
      const root = instanceRoot([...called, takenArgument(index)].join('.'), receiver);
      for (const property of childrenIn(tree, argument, Role.member)) {
        const name = memberName(this.#reading, property);
        if (name !== null) this.#givenInside(childIn(tree, property, Role.value), root, [name]);
      }
    }
  }
}
