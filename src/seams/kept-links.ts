import { type LinkedFile, readLink } from '../code/linked-file.ts';

/** What most want to know of the links of a tree. The links themselves lie apart, a line for each, and few are read. */
export interface LinksDigest {
  /** Numbered by their place. */
  readonly paths: readonly string[];
  /** Links of the tree's own, in the order of their lines. */
  readonly own: readonly DigestedLink[];
  /** Paths whose links are those of base. */
  readonly asInBase: readonly number[];
}

/** The keys of its problems, and every path that has a say in it. */
type DigestedLink = readonly [path: number, problems: readonly string[], touches: readonly number[]];

/** A link that is handed on as it is. */
export interface RawLink {
  readonly problems: readonly string[];
  readonly touches: readonly string[];
  readonly line: string;
}

/** Links of base, for those that are the same there. */
export interface LinksOfBase {
  knows(path: string): boolean;
  linked(path: string): LinkedFile | undefined;
  problemKeys(path: string): readonly string[];
  touching(changed: ReadonlySet<string>): (path: string) => boolean;
}

/** Links that an earlier check kept. */
export class KeptLinks {
  readonly #digest: LinksDigest;
  readonly #base: LinksOfBase | null;
  readonly #readLines: () => string;
  /** The line of each link of the tree's own. */
  readonly #own: ReadonlyMap<string, number>;
  readonly #asInBase: ReadonlySet<string>;
  readonly #read = new Map<string, LinkedFile>();
  #lines: readonly string[] | null = null;

  constructor(digest: LinksDigest, readLines: () => string, base: LinksOfBase | null) {
    const pathOf = (number: number) => digest.paths[number] ?? '';
    this.#digest = digest;
    this.#readLines = readLines;
    this.#base = base;
    this.#own = new Map(digest.own.map((link, at) => [pathOf(link[0]), at]));
    // What base no longer knows has to be linked anew.
    this.#asInBase = new Set(digest.asInBase.map(pathOf).filter((path) => base?.knows(path)));
  }

  *paths(): Iterable<string> {
    yield* this.#own.keys();
    yield* this.#asInBase;
  }

  has(path: string): boolean {
    return this.#own.has(path) || this.#asInBase.has(path);
  }

  isAsInBase(path: string): boolean {
    return this.#asInBase.has(path);
  }

  problemKeys(path: string): readonly string[] {
    const at = this.#own.get(path);
    if (at !== undefined) return this.#digest.own[at]?.[1] ?? [];
    return this.#asInBase.has(path) ? (this.#base?.problemKeys(path) ?? []) : [];
  }

  link(path: string): LinkedFile | undefined {
    if (this.#asInBase.has(path)) return this.#base?.linked(path);
    const known = this.#read.get(path);
    const line = known ? undefined : this.#line(path);
    if (line === undefined) return known;
    const link = readLink(line);
    this.#read.set(path, link);
    return link;
  }

  raw(path: string): RawLink {
    const [, problems = [], touches = []] = this.#digest.own[this.#own.get(path) ?? -1] ?? [];
    return {
      problems,
      touches: touches.map((number) => this.#digest.paths[number] ?? ''),
      line: this.#line(path) ?? '',
    };
  }

  /** Tells of which links one of these paths has a say. */
  touching(changed: ReadonlySet<string>): (path: string) => boolean {
    const numbers = new Set(
      this.#digest.paths.flatMap((path, number) => (changed.has(path) ? [number] : [])),
    );
    const inBase = this.#base?.touching(changed);
    return (path) => {
      const at = this.#own.get(path);
      if (at === undefined) return inBase?.(path) ?? true;
      return this.#digest.own[at]?.[2].some((number) => numbers.has(number)) ?? true;
    };
  }

  #line(path: string): string | undefined {
    this.#lines ??= this.#readLines().split('\n');
    const at = this.#own.get(path);
    return at === undefined ? undefined : this.#lines[at];
  }
}
