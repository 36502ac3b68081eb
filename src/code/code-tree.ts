import type { GitTree } from '../git/tree.ts';
import { comparedType } from './compared-type.ts';
import type { Comparison, Facts } from './facts.ts';
import type { FactsReader } from './facts-reader.ts';
import { type ImportEdge, importEdges } from './import-edges.ts';
import { type CallEdge, type LinkedFile, linkFile } from './link.ts';
import { typeEntity } from './members.ts';
import { type Entity, ModuleGraph, unknown } from './module-graph.ts';
import type { ResolutionDocuments } from './resolve/documents.ts';
import { createResolvers, type Resolvers } from './resolve/index.ts';
import { Trace } from './trace.ts';

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
  /** Grows with every question that had no answer yet, also when another file had asked it before. */
  #misses = 0;
  /** Linking asks for the same few files again and again; null: known to have none. */
  readonly #facts = new Map<string, Facts | null>();
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
        const before = this.#misses;
        const { calls: _, ...linked } = linkFile(graph, path);
        if (this.#misses > before) again.push(path);
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

  /** What a type name of a linked file stands for. */
  typeNamed(path: string, name: string): Entity {
    return this.#graph ? typeEntity(this.#graph, path, name, new Trace()) : unknown;
  }

  /** The type of what a literal stands beside, in a linked file. */
  comparedType(path: string, comparison: Comparison): Entity {
    return this.#graph ? comparedType(this.#graph, path, comparison, new Trace()) : unknown;
  }

  /** Reads files without linking them. */
  async loadFacts(paths: Iterable<string>): Promise<void> {
    const files = [...paths].flatMap((path) => {
      const blob = this.git.blob(path);
      return blob === undefined ? [] : [{ path, blob }];
    });
    await this.#reader.load(files);
  }

  /** The modules that a file loads; empty for a file that was not read. */
  importEdges(path: string): ImportEdge[] {
    const blob = this.git.blob(path);
    const facts = blob !== undefined && this.#reader.isLoaded(path, blob) ? this.facts(path) : undefined;
    if (!facts) return [];
    return importEdges(facts, path, {
      resolve: (specifier, from) => this.#resolve(specifier, from),
      submodule: (folder, name) => this.#resolvers?.submodule(folder, name) ?? { path: undefined },
    });
  }

  #resolve(specifier: string, from: string) {
    return this.#resolvers?.resolve(specifier, from) ?? { status: 'unknown' as const, reason: 'not ready' };
  }

  /** Facts of a file that parses; undefined when it is absent, unreadable, broken or not yet loaded. */
  facts(path: string): Facts | undefined {
    const known = this.#facts.get(path);
    return known === undefined ? this.#read(path) : (known ?? undefined);
  }

  #read(path: string): Facts | undefined {
    const blob = this.git.blob(path);
    if (blob === undefined || this.#conflicted.has(path)) return undefined;
    if (!this.#reader.isLoaded(path, blob)) {
      this.#awaited.set(path, blob);
      this.#misses++;
      return undefined;
    }
    const facts = this.#reader.facts(path, blob);
    const usable = facts?.syntaxError === null ? facts : undefined;
    this.#facts.set(path, usable ?? null);
    return usable;
  }
}
