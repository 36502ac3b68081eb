import type { CodeTree, LinkedTree } from '../code/code-tree.ts';
import { type LinkedFile, type PackedLinks, unpackLinks } from '../code/linked-file.ts';
import type { GitTree } from '../git/tree.ts';

/** What most want to know of the links of a tree; the links themselves are unpacked for few. */
export interface LinksDigest {
  /** Paths whose links are the tree's own, with the keys of their problems. */
  readonly own: readonly (readonly [string, readonly string[]])[];
  /** Paths whose links are those of base. */
  readonly asInBase: readonly string[];
}

/** Links that an earlier check kept. */
export class KeptLinks {
  readonly #own: ReadonlyMap<string, readonly string[]>;
  readonly #asInBase: ReadonlySet<string>;
  readonly #base: RememberedTree | null;
  readonly #text: string;
  #links: ReadonlyMap<string, LinkedFile> | null = null;

  constructor({ own, asInBase }: LinksDigest, text: string, base: RememberedTree | null) {
    this.#own = new Map(own);
    // What base no longer knows has to be linked anew.
    this.#asInBase = new Set(asInBase.filter((path) => base?.knows(path)));
    this.#base = base;
    this.#text = text;
  }

  has(path: string): boolean {
    return this.#own.has(path) || this.#asInBase.has(path);
  }

  problemKeys(path: string): readonly string[] | undefined {
    return this.#own.get(path) ?? (this.#asInBase.has(path) ? this.#base?.problemKeys(path) : undefined);
  }

  link(path: string): LinkedFile | undefined {
    if (this.#asInBase.has(path)) return this.#base?.linked(path);
    this.#links ??= unpackLinks(JSON.parse(this.#text) as PackedLinks);
    return this.#links.get(path);
  }

  links(): (readonly [string, LinkedFile])[] {
    return [...this.#own.keys(), ...this.#asInBase].flatMap((path) => {
      const link = this.link(path);
      return link ? [[path, link] as const] : [];
    });
  }
}

interface Memory {
  /** Links of this very tree. */
  readonly kept: KeptLinks | null;
  /** Links of another tree that hold in this one. */
  readonly taken: ReadonlyMap<string, LinkedFile>;
  readonly sharing: {
    readonly base: RememberedTree;
    isSame(): Promise<(path: string, link: LinkedFile) => boolean>;
  } | null;
}

/** The links of one tree: remembered ones, those of base where they are the same, and the rest by linking. */
export class RememberedTree implements LinkedTree {
  readonly git: GitTree;
  readonly #code: CodeTree;
  readonly #kept: KeptLinks | null;
  readonly #links: Map<string, LinkedFile>;
  readonly #sharing: Memory['sharing'];
  #isSame: Promise<(path: string, link: LinkedFile) => boolean> | null = null;
  /** There is more to keep than is kept already. */
  hasNews: boolean;

  constructor(code: CodeTree, { kept, taken, sharing }: Memory) {
    this.git = code.git;
    this.#code = code;
    this.#kept = kept;
    this.#links = new Map(taken);
    this.#sharing = sharing;
    this.hasNews = kept === null;
  }

  knows(path: string): boolean {
    return this.#links.has(path) || (this.#kept?.has(path) ?? false);
  }

  async link(paths: Iterable<string>): Promise<void> {
    const unknown = [...new Set(paths)].filter(
      (path) => !this.knows(path) && this.git.blob(path) !== undefined,
    );
    if (unknown.length === 0) return;
    this.hasNews = true;
    await this.#share(unknown.filter((path) => !this.git.differences.has(path)));
    const own = unknown.filter((path) => !this.#links.has(path));
    await this.#code.link(own);
    for (const path of own) {
      const linked = this.#code.linked(path);
      if (linked) this.#links.set(path, linked);
    }
  }

  /** Files that are as in base, like all that they lead to, are linked there, once for all trees. */
  async #share(paths: readonly string[]): Promise<void> {
    if (!this.#sharing || paths.length === 0) return;
    await this.#sharing.base.link(paths);
    this.#isSame ??= this.#sharing.isSame();
    const isSame = await this.#isSame;
    for (const path of paths) {
      const link = this.#sharing.base.linked(path);
      if (link && isSame(path, link)) this.#links.set(path, link);
    }
  }

  linked(path: string): LinkedFile | undefined {
    return this.#links.get(path) ?? (this.#kept?.has(path) ? this.#kept.link(path) : undefined);
  }

  problemKeys(path: string): readonly string[] {
    const link = this.#links.get(path);
    return link ? link.problems.map(({ key }) => key) : (this.#kept?.problemKeys(path) ?? []);
  }

  links(): (readonly [string, LinkedFile])[] {
    return [...(this.#kept?.links() ?? []), ...this.#links];
  }
}
