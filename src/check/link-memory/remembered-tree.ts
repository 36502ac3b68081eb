import { randomUUID } from 'node:crypto';
import type { CodeTree, LinkedTree } from '#code/link/code-tree.ts';
import { type LinkedFile, touchedPaths, writeLink } from '#code/link/linked-file.ts';
import type { GitTree } from '#git/trees/tree.ts';
import type { KeptLinks, LinksDigest, LinksOfBase, LinkTouches, RawLink } from './kept-links.ts';

interface Memory {
  /** Links of exactly this tree. */
  readonly kept: KeptLinks | null;
  /** Links of another tree, and the paths for which they hold in this one. */
  readonly taken: { readonly from: KeptLinks; readonly paths: ReadonlySet<string> } | null;
  readonly sharing: {
    readonly base: RememberedTree;
    isSame(): Promise<(path: string, link: LinkedFile) => boolean>;
  } | null;
}

/** The links of one tree: cached ones, those of base where they are the same, and new ones for the rest. */
export class RememberedTree implements LinkedTree, LinksOfBase {
  readonly git: GitTree;
  readonly #code: CodeTree;
  readonly #kept: KeptLinks | null;
  readonly #taken: Memory['taken'];
  readonly #sharing: Memory['sharing'];
  readonly #links = new Map<string, LinkedFile>();
  /** Those that are links of base. */
  readonly #shared = new Set<string>();
  #isSame: Promise<(path: string, link: LinkedFile) => boolean> | null = null;
  /** Some links are not cached yet. */
  hasNews: boolean;

  constructor(code: CodeTree, { kept, taken, sharing }: Memory) {
    this.git = code.git;
    this.#code = code;
    this.#kept = kept;
    this.#taken = taken;
    this.#sharing = sharing;
    this.hasNews = kept === null;
  }

  knows(path: string): boolean {
    return this.#links.has(path) || this.#remembered(path) !== null;
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

  /** Files that are the same as in base, together with all files they reach, are linked in base, once for all trees. */
  async #share(paths: readonly string[]): Promise<void> {
    if (!this.#sharing || paths.length === 0) return;
    await this.#sharing.base.link(paths);
    this.#isSame ??= this.#sharing.isSame();
    const isSame = await this.#isSame;
    for (const path of paths) {
      const link = this.#sharing.base.linked(path);
      if (!link || !isSame(path, link)) continue;
      this.#links.set(path, link);
      this.#shared.add(path);
    }
  }

  linked(path: string): LinkedFile | undefined {
    return this.#links.get(path) ?? this.#remembered(path)?.link(path);
  }

  problemKeys(path: string): readonly string[] {
    const link = this.#links.get(path);
    return link ? link.problems.map(({ key }) => key) : (this.#remembered(path)?.problemKeys(path) ?? []);
  }

  touching(changed: ReadonlySet<string>): (path: string) => boolean {
    const kept = this.#kept?.touching(changed);
    return (path) => {
      const link = this.#links.get(path);
      if (link) return touchedPaths(link).some((touched) => changed.has(touched));
      return kept?.(path) ?? true;
    };
  }

  /** Packs the links for the next check. */
  pack(): { readonly digest: LinksDigest; readonly touches: LinkTouches; readonly lines: string } {
    const numbers = new Map<string, number>();
    const numberOf = (path: string): number => {
      const number = numbers.get(path) ?? numbers.size;
      if (number === numbers.size) numbers.set(path, number);
      return number;
    };
    const paths = [...(this.#kept?.paths() ?? []), ...(this.#taken?.paths ?? []), ...this.#links.keys()];
    const own = paths.filter((path) => !this.#isAsInBase(path)).map((path) => ({ path, ...this.#raw(path) }));
    const touches = own.map((link) => link.touches.map(numberOf));
    const stamp = randomUUID();
    return {
      digest: {
        stamp,
        own: own.map(({ path, problems }) => [path, problems] as const),
        asInBase: paths.filter((path) => this.#isAsInBase(path)),
      },
      touches: { stamp, paths: [...numbers.keys()], touches },
      lines: [stamp, ...own.map(({ line }) => line)].join('\n'),
    };
  }

  #raw(path: string): RawLink {
    const link = this.#links.get(path);
    const remembered = link ? null : this.#remembered(path);
    if (remembered) return remembered.raw(path);
    if (!link) throw new Error(`no link of ${path}`);
    const problems = link.problems.map(({ key }) => key);
    return { problems, touches: touchedPaths(link), line: writeLink(link) };
  }

  #isAsInBase(path: string): boolean {
    return this.#links.has(path)
      ? this.#shared.has(path)
      : (this.#remembered(path)?.isAsInBase(path) ?? false);
  }

  /** Where the link of this path is cached, if an earlier check cached it. */
  #remembered(path: string): KeptLinks | null {
    if (this.#kept?.has(path)) return this.#kept;
    return this.#taken?.paths.has(path) ? this.#taken.from : null;
  }
}
