import { LostAnswer } from '#check/cache/outcome-store.ts';
import { type LinkedFile, readLink } from '#code/link/linked-file.ts';

/** The part of a tree's links that every check reads. */
export interface LinksDigest {
  /** Equal in all parts that were written together: another check may have replaced the others since. */
  readonly stamp: string;
  /** Paths whose links are the tree's own, with the keys of their problems. */
  readonly own: readonly (readonly [path: string, problems: readonly string[]])[];
  /** Paths whose links are those of base. */
  readonly asInBase: readonly string[];
}

/** The part that is read only when a newer tree replaces this one. */
export interface LinkTouches {
  readonly stamp: string;
  /** A path is referred to by its index here. */
  readonly paths: readonly string[];
  /** For each of the tree's own links, the paths it depends on. */
  readonly touches: readonly (readonly number[])[];
}

/** Loads the cached parts on demand. */
interface Kept {
  digest(): LinksDigest;
  touches(): LinkTouches;
  /** The stamp, then one line for each of the tree's own links. */
  lines(): string;
}

/** A link that is copied without parsing. */
export interface RawLink {
  readonly problems: readonly string[];
  readonly touches: readonly string[];
  readonly line: string;
}

/** Links of base, for trees in which they are the same. */
export interface LinksOfBase {
  knows(path: string): boolean;
  linked(path: string): LinkedFile | undefined;
  problemKeys(path: string): readonly string[];
  touching(changed: ReadonlySet<string>): (path: string) => boolean;
}

interface Known {
  readonly digest: LinksDigest;
  /** The line number of each of the tree's own links. */
  readonly own: ReadonlyMap<string, number>;
  readonly asInBase: ReadonlySet<string>;
}

/** Links that an earlier check cached. */
export class KeptLinks {
  readonly #kept: Kept;
  readonly #base: LinksOfBase | null;
  #known: Known | null = null;
  readonly #read = new Map<string, LinkedFile>();
  #touches: LinkTouches | null = null;
  #lines: readonly string[] | null = null;

  constructor(kept: Kept, base: LinksOfBase | null) {
    this.#kept = kept;
    this.#base = base;
  }

  *paths(): Iterable<string> {
    yield* this.#all.own.keys();
    yield* this.#all.asInBase;
  }

  has(path: string): boolean {
    return this.#all.own.has(path) || this.#all.asInBase.has(path);
  }

  isAsInBase(path: string): boolean {
    return this.#all.asInBase.has(path);
  }

  problemKeys(path: string): readonly string[] {
    const at = this.#all.own.get(path);
    if (at !== undefined) return this.#all.digest.own[at]?.[1] ?? [];
    return this.#all.asInBase.has(path) ? (this.#base?.problemKeys(path) ?? []) : [];
  }

  link(path: string): LinkedFile | undefined {
    if (this.#all.asInBase.has(path)) return this.#base?.linked(path);
    const known = this.#read.get(path);
    if (known || !this.#all.own.has(path)) return known;
    const link = readLink(this.#line(path));
    this.#read.set(path, link);
    return link;
  }

  raw(path: string): RawLink {
    const { paths, touches } = this.#allTouches;
    return {
      problems: this.problemKeys(path),
      touches: given(touches[this.#placeOf(path)]).map((number) => given(paths[number])),
      line: this.#line(path),
    };
  }

  /** Returns the links that depend on one of these paths. */
  touching(changed: ReadonlySet<string>): (path: string) => boolean {
    const { paths, touches } = this.#allTouches;
    const numbers = new Set(paths.flatMap((path, number) => (changed.has(path) ? [number] : [])));
    const inBase = this.#base?.touching(changed);
    return (path) => {
      const at = this.#all.own.get(path);
      if (at === undefined) return inBase?.(path) ?? true;
      return touches[at]?.some((number) => numbers.has(number)) ?? true;
    };
  }

  get #all(): Known {
    if (!this.#known) {
      const digest = this.#kept.digest();
      const own = new Map(digest.own.map((link, at) => [link[0], at]));
      // Links of files that base no longer has must be made again.
      const asInBase = new Set(digest.asInBase.filter((path) => this.#base?.knows(path)));
      this.#known = { digest, own, asInBase };
    }
    return this.#known;
  }

  get #allTouches(): LinkTouches {
    this.#touches ??= this.#belonging(this.#kept.touches(), ({ stamp, touches }) => [stamp, touches.length]);
    return this.#touches;
  }

  #line(path: string): string {
    this.#lines ??= this.#belonging(this.#kept.lines().split('\n'), (lines) => [lines[0], lines.length - 1]);
    return given(this.#lines[this.#placeOf(path) + 1]);
  }

  #placeOf(path: string): number {
    return given(this.#all.own.get(path));
  }

  /** Throws when another check has replaced the cached links since. */
  #belonging<T>(read: T, described: (read: T) => [stamp: string | undefined, count: number]): T {
    const [stamp, count] = described(read);
    if (stamp !== this.#all.digest.stamp || count !== this.#all.digest.own.length)
      throw new LostAnswer('kept links were replaced');
    return read;
  }
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new LostAnswer('kept links do not belong together');
  return value;
}
