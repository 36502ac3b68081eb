import type { OutcomeStore, Question } from '#check/cache/outcome-store.ts';
import type { CodeTrees } from '#check/unions/unions.ts';
import type { FactsReader } from '#code/extraction/facts-reader.ts';
import type { LinkedTree } from '#code/link/code-tree.ts';
import type { LinkedFile } from '#code/link/linked-file.ts';
import {
  type PathDifference,
  stillHolds,
  type TreeDifference,
  treeDifference,
} from '#code/link/links-that-hold.ts';
import type { GitTree, TreeEntry } from '#git/trees/tree.ts';
import { KeptLinks, type LinksDigest, type LinkTouches } from './kept-links.ts';
import { RememberedTree } from './remembered-tree.ts';

/** The role of a tree in a check, so that the next check finds the links of its predecessor. */
export interface TreeRole {
  readonly tree: string;
  /** The ref of a branch; empty for the union of all. */
  readonly role: string;
}

/** The tree that had the same role in an earlier check. */
interface Predecessor {
  readonly tree: string;
  /** The file is the same in both, and the imports of all files lead to the same files. */
  isSame(path: string): boolean;
}

interface Latest {
  readonly tree: string;
  /** Compared with the tree of base. */
  readonly differences: readonly (readonly [string, TreeEntry | null])[];
}

/**
 * Links of base, of each branch and of the union of all, cached between checks. A new tree reuses the links of the one before it, unless
 * something they depend on has changed.
 *
 * This folder is an optimisation, and no other code depends on its internals. Its one invariant: **what it returns equals what linking that
 * tree from scratch would find.** It holds because a link is reused only if no path that it touched appeared, disappeared or changed its
 * meaning (`stillHolds`); in doubt a file is linked. Without it a check after a commit takes three times the CPU, see docs/benchmarks.md.
 */
export class LinkMemory {
  readonly #outcomes: OutcomeStore;
  readonly #trees: CodeTrees;
  readonly #base: GitTree;
  readonly #reader: FactsReader;
  readonly #pythonRoots: readonly string[];
  readonly #open = new Map<string, RememberedTree>();
  readonly #roles = new Map<string, string>();
  readonly #predecessors = new Map<string, Predecessor>();

  constructor(
    outcomes: OutcomeStore,
    trees: CodeTrees,
    base: GitTree,
    reader: FactsReader,
    pythonRoots: readonly string[],
  ) {
    this.#outcomes = outcomes;
    this.#trees = trees;
    this.#base = base;
    this.#reader = reader;
    this.#pythonRoots = pythonRoots;
  }

  async get(tree: string, role: string): Promise<LinkedTree> {
    const [linked] = await this.getAll([{ tree, role }]);
    if (!linked) throw new Error(`no tree ${tree}`);
    return linked;
  }

  async getAll(wanted: readonly TreeRole[]): Promise<LinkedTree[]> {
    const base = await this.#openBase();
    const missing = wanted.filter(({ tree }) => !this.#open.has(tree));
    const codeTrees = await this.#trees.getAll(
      missing.map(({ tree }) => ({ tree, conflicted: new Set<string>() })),
    );
    for (const [index, { tree, role }] of missing.entries()) {
      const code = codeTrees[index];
      if (!code || this.#open.has(tree)) continue;
      const kept = this.#kept(tree, base);
      const taken = kept ? null : await this.#takenOver(code.git, role, base);
      const isSame = () => this.#sameAsBase(code.git);
      this.#open.set(tree, new RememberedTree(code, { kept, taken, sharing: { base, isSame } }));
      this.#roles.set(tree, role);
    }
    return wanted.flatMap(({ tree }) => this.#open.get(tree) ?? []);
  }

  /** The predecessor of a new tree that was already read; null when too little is the same. */
  predecessorOf(tree: string): Predecessor | null {
    return this.#predecessors.get(tree) ?? null;
  }

  /** Caches the links for the next check. */
  save(): void {
    for (const [id, tree] of this.#open) this.#save(id, tree);
  }

  /** Caches the links of a tree that is rarely asked for again, and lets go of it. */
  release(id: string): void {
    const tree = this.#open.get(id);
    if (tree) this.#save(id, tree);
    this.#open.delete(id);
  }

  #save(id: string, tree: RememberedTree): void {
    if (!tree.hasNews) return;
    const { digest, touches, lines } = tree.pack();
    this.#outcomes.remember(this.#about(id, 'links digest'), digest);
    this.#outcomes.remember(this.#about(id, 'links touch'), touches);
    this.#outcomes.rememberText(this.#about(id, 'links'), lines);
    const latest: Latest = { tree: id, differences: [...tree.git.differences] };
    this.#outcomes.remember(this.#latestOf(this.#roles.get(id) ?? ''), latest);
  }

  /** Base comes first: most links of the other trees are the same there. */
  async #openBase(): Promise<RememberedTree> {
    const open = this.#open.get(this.#base.id);
    if (open) return open;
    const kept = this.#kept(this.#base.id, null);
    const code = await this.#trees.get(this.#base.id);
    const base = new RememberedTree(code, { kept, taken: null, sharing: null });
    this.#open.set(this.#base.id, base);
    return base;
  }

  #kept(tree: string, base: RememberedTree | null): KeptLinks | null {
    const digest = this.#about(tree, 'links digest');
    const touches = this.#about(tree, 'links touch');
    const lines = this.#about(tree, 'links');
    if (![digest, touches, lines].every((question) => this.#outcomes.has(question))) return null;
    return new KeptLinks(
      {
        digest: () => JSON.parse(this.#outcomes.readText(digest)) as LinksDigest,
        touches: () => JSON.parse(this.#outcomes.readText(touches)) as LinkTouches,
        lines: () => this.#outcomes.readText(lines),
      },
      base,
    );
  }

  /** The links of the predecessor that still hold here. */
  async #takenOver(
    tree: GitTree,
    role: string,
    base: RememberedTree,
  ): Promise<{ from: KeptLinks; paths: Set<string> } | null> {
    const [latest] = this.#outcomes.read([this.#latestOf(role)]) as [Latest | undefined];
    const kept = latest ? this.#kept(latest.tree, base) : null;
    const difference =
      latest && kept && (await this.#difference(this.#between(new Map(latest.differences), tree)));
    if (!difference) return null;
    if (difference.presence.size === 0) {
      const isSame = (path: string) => !difference.content.has(path);
      this.#predecessors.set(tree.id, { tree: latest.tree, isSame });
    }
    const { presence, content } = difference;
    const isTouched = kept.touching(new Set([...presence, ...content.keys()]));
    const holds = (path: string) => {
      if (presence.has(path) || content.has(path)) return false;
      const link = isTouched(path) ? kept.link(path) : null;
      return link === null || (link !== undefined && stillHolds(path, link, difference));
    };
    return { from: kept, paths: new Set([...kept.paths()].filter(holds)) };
  }

  /** Whether a link of base is the same in another tree. */
  async #sameAsBase(tree: GitTree): Promise<(path: string, link: LinkedFile) => boolean> {
    const difference = await this.#difference(this.#between(new Map(), tree));
    return (path, link) => difference !== null && stillHolds(path, link, difference);
  }

  async #difference(differences: readonly PathDifference[]): Promise<TreeDifference | null> {
    await this.#reader.load(
      differences.flatMap(({ path, before, after }) =>
        [before, after].flatMap((entry) => (entry?.kind === 'file' ? [{ path, blob: entry.id }] : [])),
      ),
    );
    return treeDifference(differences, (path, blob) => this.#reader.facts(path, blob));
  }

  #between(earlier: ReadonlyMap<string, TreeEntry | null>, tree: GitTree): PathDifference[] {
    const paths = new Set([...earlier.keys(), ...tree.differences.keys()]);
    return [...paths].flatMap((path) => {
      const was = earlier.get(path);
      const before = was === undefined ? this.#base.entry(path) : (was ?? undefined);
      const after = tree.entry(path);
      return before?.id === after?.id && before?.kind === after?.kind ? [] : [{ path, before, after }];
    });
  }

  #about(tree: string, what: 'links digest' | 'links touch' | 'links'): Question {
    return [what, tree, this.#base.id, this.#pythonRoots];
  }

  /** A hint, and the only question whose answer changes: its target is compared before it is used. */
  #latestOf(role: string): Question {
    return ['latest', this.#base.id, this.#pythonRoots, role];
  }
}
