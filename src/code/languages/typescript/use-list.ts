import type { CallShape, Use } from '#code/facts/facts.ts';
import type { Narrowing, Receiver } from './narrowing.ts';
import type { Reading } from './reading.ts';

/** The start of an expression. */
export interface Root {
  readonly root: string;
  readonly rootIs: Use['rootIs'];
  /** Members between `root` and the expression: a member of namespace `A` is root `A`, prefix `['member']`. */
  readonly prefix: readonly string[];
  /** The variable or field it was read from: when its type turns out to be narrowed, its uses are dropped. */
  readonly receiver: Receiver | null;
  /** Nothing in the file binds the name. */
  readonly isUnbound: boolean;
}

const noPrefix: readonly string[] = [];

/** `guarded` may still change later in the file. */
type FoundUse = Omit<Use, 'guarded'> & { guarded: boolean };

/** A name of the module, or of a namespace of it: `A.b` is root `A`, member `b`. */
export function nameRoot(dotted: string): Root {
  if (!dotted.includes('.')) return plainRoot(dotted, false);
  const [root = '', ...prefix] = dotted.split('.');
  return { root, rootIs: 'name', prefix, receiver: null, isUnbound: false };
}

/** A name without members. */
export function plainRoot(name: string, isUnbound: boolean): Root {
  return { root: name, rootIs: 'name', prefix: noPrefix, receiver: null, isUnbound };
}

/** A value whose type is `type`. */
export function instanceRoot(type: string, receiver: Receiver | null): Root {
  return { root: type, rootIs: 'instance', prefix: noPrefix, receiver, isUnbound: false };
}

/** A value of type `type` that is cast to `any`. */
export function castRoot(type: string, receiver: Receiver): Root {
  return { root: type, rootIs: 'cast', prefix: noPrefix, receiver, isUnbound: false };
}

/** The uses found so far; which of them count is decided after the whole file was read. */
export class UseList {
  readonly #reading: Reading;
  readonly #uses: FoundUse[] = [];
  /** By use: the value it was read from. */
  readonly #receivers: (Receiver | null)[] = [];
  /** `root.member` paths whose existence the file tests. */
  readonly #tested = new Set<string>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** `node`: the start of the use; `whole`: the whole expression. */
  add(
    node: number,
    whole: number,
    root: Root,
    path: readonly string[],
    kind: Use['kind'],
    call: CallShape | null,
    guarded: boolean,
    scope: string,
    typeArguments: number | null = null,
  ): void {
    const { tree, lines } = this.#reading;
    const start = tree.start[node] as number;
    const line = lines.line(start);
    this.#receivers.push(root.receiver);
    this.#uses.push({
      kind,
      root: root.root,
      rootIs: root.rootIs,
      path,
      line,
      column: lines.columnIn(line, start),
      endLine: lines.line((tree.end[whole] as number) - 1),
      scope,
      call,
      typeArguments,
      guarded,
    });
  }

  /** Other uses of the same thing in the file also count as tested. */
  noteTest(root: string, path: readonly string[]): void {
    this.#tested.add(path.length === 0 ? root : `${root}.${path.join('.')}`);
  }

  settled(narrowing: Narrowing): Use[] {
    const tested = this.#tested;
    if (narrowing.isEmpty && tested.size === 0) return this.#uses;
    if (tested.size > 0) this.#guardTested();
    if (narrowing.isEmpty) return this.#uses;
    return this.#uses.filter(({ root, rootIs, path }, index) => {
      const receiver = this.#receivers[index] ?? (rootIs === 'name' ? root : null);
      return receiver === null || !narrowing.isDoubtful(receiver, path);
    });
  }

  #guardTested(): void {
    const tested = this.#tested;
    const testedRoots = new Set([...tested].map((path) => path.split('.', 1)[0]));
    for (const use of this.#uses) {
      if (!use.guarded && use.rootIs === 'name' && testedRoots.has(use.root))
        use.guarded = isTested(use, tested);
    }
  }
}

function isTested(use: FoundUse, tested: ReadonlySet<string>): boolean {
  let key = use.root;
  if (tested.has(key)) return true;
  for (const member of use.path) {
    key += `.${member}`;
    if (tested.has(key)) return true;
  }
  return false;
}
