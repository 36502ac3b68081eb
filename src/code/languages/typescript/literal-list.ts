import type { Comparison } from '#code/facts/facts.ts';
import { takenArgument } from '#code/languages/shared/results.ts';
import { objectArgument } from './calls.ts';
import type { Chain } from './chains.ts';
import { attributeTexts } from './jsx-attributes.ts';
import { literalOf, literalsBeside } from './literals.ts';
import type { Narrowing, Receiver } from './narrowing.ts';
import type { Position } from './position.ts';
import { childIn, childrenIn, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';
import { memberName } from './types.ts';
import type { Root } from './use-list.ts';

const noMembers: readonly string[] = [];

/** Unions list short words; sentences, paths and keys of translations are left out. */
const word = /^"[\w-]{1,40}(?: [\w-]{1,20}){0,2}"$/;

/** Literals that are compared with a value, or given to one: its type may list the literals that it takes. */
export class LiteralList {
  readonly #found: Comparison[] = [];
  /** Texts that are given to a function of a value, and the value. */
  readonly #takenBy = new Map<Comparison, Receiver>();
  readonly #reading: Reading;
  readonly #position: Position;

  constructor(reading: Reading, position: Position) {
    this.#reading = reading;
    this.#position = position;
  }

  /** All of them, without those of narrowed values, whose functions may take other texts. */
  settled(narrowing: Narrowing): Comparison[] {
    if (narrowing.isEmpty || this.#takenBy.size === 0) return this.#found;
    return this.#found.filter((comparison) => {
      const receiver = this.#takenBy.get(comparison);
      return receiver === undefined || !narrowing.isDoubtful(receiver, []);
    });
  }

  /** `<Button variant="primary" />` */
  takeAttributes(opening: number, component: readonly string[]): void {
    const type = [...component, takenArgument(0)].join('.');
    for (const { name, value } of attributeTexts(this.#reading, opening)) this.take(value, type, name);
  }

  /** `sort('newest')`, `load({ sort: 'newest' })` */
  takeArguments(call: number, called: readonly string[], receiver: Root['receiver']): void {
    const { tree } = this.#reading;
    for (const [index, argument] of childrenIn(tree, call, Role.argument).entries()) {
      const kind = tree.kind[argument];
      if (kind === Kind.Spread) return;
      if (kind !== Kind.String && kind !== Kind.Object) continue;
      const type = [...called, takenArgument(index)].join('.');
      if (kind === Kind.String) this.take(argument, type, null, receiver);
      // A spread of type `any` makes the whole object `any`.
      else if (!objectArgument(this.#reading, argument, index).open)
        for (const property of childrenIn(tree, argument, Role.member)) {
          const name = memberName(this.#reading, property);
          if (name !== null) this.take(childIn(tree, property, Role.value), type, name, receiver);
        }
    }
  }

  /** A text that is given to a value of a type, or to a member of it: the type may list the texts it takes. */
  take(value: number, type: string, member: string | null, receiver: Root['receiver'] = null): void {
    const { tree, variant } = this.#reading;
    const literal = value >= 0 && tree.kind[value] === Kind.String ? literalOf(this.#reading, value) : null;
    if (literal === null || !word.test(literal) || variant === 'js') return;
    const path = member === null ? noMembers : [member];
    const added = this.#add(value, literal, { root: type, rootIs: 'instance' }, path);
    if (receiver !== null) this.#takenBy.set(added, receiver);
  }

  /** `order.state === 'open'`, `case 'open':` */
  compare(node: number, chain: Chain, root: Root): void {
    if (chain.path.length > 1) return;
    for (const { literal, at } of literalsBeside(this.#reading, chain.top))
      this.#add(at === chain.top ? node : at, literal, root, [...root.prefix, ...chain.path]);
  }

  #add(
    node: number,
    literal: string,
    { root, rootIs }: Pick<Root, 'root' | 'rootIs'>,
    path: readonly string[],
  ): Comparison {
    const { tree, lines } = this.#reading;
    const start = tree.start[node] as number;
    const line = lines.line(start);
    const scope = this.#position.definition;
    const added = { root, rootIs, path, scope, literal, line, column: lines.column(start), endLine: line };
    this.#found.push(added);
    return added;
  }
}
