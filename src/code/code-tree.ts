import type { GitTree } from '../git/tree.ts';
import type { Facts } from './facts.ts';
import type { FactsReader } from './facts-reader.ts';
import { type CallEdge, type LinkedFile, linkFile } from './link.ts';
import { ModuleGraph } from './module-graph.ts';
import type { ResolutionDocuments } from './resolve/documents.ts';
import { createResolvers, type Resolvers } from './resolve/index.ts';

/**
 * One tree of the repository as code: facts per file and the module graph between them. Facts are read on demand:
 * linking asks, what is missing is loaded, and the files that asked are linked again.
 */
export class CodeTree {
  readonly git: GitTree;
  readonly #reader: FactsReader;
  readonly #documents: ResolutionDocuments;
  readonly #conflicted: ReadonlySet<string>;
  readonly #pythonRoots: readonly string[];
  readonly #linked = new Map<string, LinkedFile>();
  readonly #awaited = new Map<string, string>();
  #resolvers: Resolvers | null = null;
  #graph: ModuleGraph | null = null;

  /** `conflicted` paths hold conflict markers: nothing is concluded from them. */
  constructor(
    git: GitTree,
    reader: FactsReader,
    documents: ResolutionDocuments,
    options: { conflicted?: ReadonlySet<string>; pythonRoots: readonly string[] },
  ) {
    this.git = git;
    this.#reader = reader;
    this.#documents = documents;
    this.#conflicted = options.conflicted ?? new Set();
    this.#pythonRoots = options.pythonRoots;
  }

  /** Links files and everything they lead to. */
  async link(paths: Iterable<string>): Promise<void> {
    this.#resolvers ??= createResolvers(
      this.git,
      this.#documents.documents,
      await this.#documents.load(this.git),
      {
        roots: this.#pythonRoots,
      },
    );
    this.#graph ??= new ModuleGraph({
      facts: (path) => this.facts(path),
      resolve: (specifier, from) => this.#resolve(specifier, from),
      submodule: (path, name) => this.#resolvers?.submodule(path, name) ?? { path: undefined, tried: [] },
    });
    const graph = this.#graph;
    let open = [...new Set(paths)].filter(
      (path) => !this.#linked.has(path) && this.git.blob(path) !== undefined,
    );
    while (open.length > 0) {
      const again: string[] = [];
      for (const path of open) {
        const before = this.#awaited.size;
        const { calls: _, ...linked } = linkFile(graph, path);
        if (this.#awaited.size > before || this.#awaited.has(path)) again.push(path);
        else this.#linked.set(path, linked);
      }
      await this.#reader.load([...this.#awaited].map(([path, blob]) => ({ path, blob })));
      this.#awaited.clear();
      open = again;
    }
  }

  linked(path: string): LinkedFile | undefined {
    return this.#linked.get(path);
  }

  /** The calls of a linked file. They are found anew each time: kept for all files they would fill the memory. */
  calls(path: string): readonly CallEdge[] {
    return this.#graph && this.#linked.has(path) ? linkFile(this.#graph, path).calls : [];
  }

  #resolve(specifier: string, from: string) {
    return this.#resolvers?.resolve(specifier, from) ?? { status: 'unknown' as const, reason: 'not ready' };
  }

  /** Facts of a file that parses; undefined when it is absent, unreadable, broken or not yet loaded. */
  facts(path: string): Facts | undefined {
    const blob = this.git.blob(path);
    if (blob === undefined || this.#conflicted.has(path)) return undefined;
    if (!this.#reader.isLoaded(path, blob)) {
      this.#awaited.set(path, blob);
      return undefined;
    }
    const facts = this.#reader.facts(path, blob);
    return facts && facts.syntaxError === null ? facts : undefined;
  }
}
