import type { FactsReader } from '#code/extraction/facts-reader.ts';
import type { Comparison, Facts, Handler, Use } from '#code/facts/facts.ts';
import { dialectOf } from '#code/languages/index.ts';
import { baseNameOf, directoryOf } from '#code/resolve/repository-path.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { remembered } from '#lib/remembered.ts';
import { classProblems } from './class-problems.ts';
import { comparedType } from './compared-type.ts';
import type { ResolutionDocuments } from './documents.ts';
import { type ImportEdge, importEdges } from './import-edges.ts';
import {
  type CallEdge,
  followCalls,
  followErrors,
  followUse,
  followUses,
  type LinkDepth,
  type LinkedHere,
  linkFile,
  type UseEdge,
} from './link.ts';
import type { LinkedFile } from './linked-file.ts';
import { differingPaths } from './links-that-hold.ts';
import { type DefinitionEntity, memberOf } from './members.ts';
import { type Entity, ModuleGraph, unknown } from './module-graph.ts';
import type { Override } from './overrides.ts';
import { Probes } from './probes.ts';
import type { RaisedError } from './raised-errors.ts';
import { createResolvers, type Resolvers } from './resolver.ts';
import { Trace } from './trace.ts';
import { typeEntity } from './type-values.ts';

/** Files of packages that other folders may add to; one function, so that a listing is scanned once. */
function isInParts(path: string): boolean {
  return dialectOf(path)?.imports.packages?.isWhole === false;
}

/** Links of files in one tree. */
export interface LinkedTree {
  readonly git: GitTree;
  /** Links files, and loads everything they refer to. */
  link(paths: Iterable<string>): Promise<void>;
  linked(path: string): LinkedFile | undefined;
  /** Keys of the problems of a linked file. */
  problemKeys(path: string): readonly string[];
}

/** For each use of a file the paths that were looked up to follow it; uses with equal paths share a set. */
type UseLookups = ReadonlyMap<Use, ReadonlySet<string>>;

/**
 * One tree of the repository as code: facts per file and the module graph between them. Facts are read on demand: when linking needs
 * missing facts, they are loaded and the files that needed them are linked again.
 */
export class CodeTree implements LinkedTree {
  readonly git: GitTree;
  readonly #reader: FactsReader;
  readonly #documents: ResolutionDocuments;
  readonly #conflicted: ReadonlySet<string>;
  readonly #resolved: ReadonlyMap<string, Facts>;
  readonly #pythonRoots: readonly string[];
  readonly #linked = new Map<string, LinkedHere>();
  readonly #awaited = new Map<string, string>();
  /** Counts lookups without an answer yet, even if another file had made the same one. */
  #misses = 0;
  /** Cache: linking looks up the same few files again and again; null: known to have none. */
  readonly #facts = new Map<string, Facts | null>();
  readonly #edges = new Map<string, ImportEdge[]>();
  readonly #lookups = new Map<string, UseLookups>();
  readonly #depth: LinkDepth;
  readonly #probes: Probes;
  #resolvers: Resolvers | null = null;
  readonly #folders = new Map<string, readonly string[]>();
  #byBaseName: ReadonlyMap<string, readonly string[]> | null = null;
  #graph: ModuleGraph | null = null;

  /** `conflicted` paths contain conflict markers: only their `resolved` version counts. */
  constructor(
    git: GitTree,
    reader: FactsReader,
    documents: ResolutionDocuments,
    options: {
      conflicted?: ReadonlySet<string>;
      resolved?: ReadonlyMap<string, Facts>;
      pythonRoots: readonly string[];
      depth?: LinkDepth;
    },
  ) {
    this.git = git;
    this.#reader = reader;
    this.#documents = documents;
    this.#conflicted = options.conflicted ?? new Set();
    this.#resolved = options.resolved ?? new Map();
    this.#pythonRoots = options.pythonRoots;
    this.#depth = options.depth ?? 'all';
    this.#probes = new Probes(git);
  }

  async link(paths: Iterable<string>): Promise<void> {
    await this.#openResolvers();
    this.#graph ??= new ModuleGraph({
      facts: (path) => {
        this.#probes.note(path);
        return this.facts(path);
      },
      resolve: (specifier, from) => this.#resolve(specifier, from),
      submodule: (path, name) => this.#submodule(path, name),
      files: (folder) => this.#files(folder),
      isElsewhere: ({ folder, ending }, name) => this.#isElsewhere(folder, `${name}${ending}`),
      noteAll: (paths) => this.#probes.noteAll(paths),
    });
    const graph = this.#graph;
    let open = [...new Set(paths)].filter(
      (path) => !this.#linked.has(path) && this.git.blob(path) !== undefined,
    );
    while (open.length > 0) {
      const again: string[] = [];
      for (const path of open) {
        const before = this.#misses;
        this.#probes.begin();
        const isInVain = () => this.#misses > before;
        const linked = linkFile(graph, path, this.#depth, isInVain);
        const looked = this.#probes.end();
        if (isInVain()) again.push(path);
        else this.#linked.set(path, { ...linked, looked });
      }
      await this.settle();
      open = again;
    }
  }

  linked(path: string): LinkedHere | undefined {
    return this.#linked.get(path);
  }

  problemKeys(path: string): readonly string[] {
    return this.#linked.get(path)?.problems.map(({ key }) => key) ?? [];
  }

  /** No answer so far lacked facts. */
  get isSettled(): boolean {
    return this.#awaited.size === 0;
  }

  /** Loads facts that were missing; true when none were, so that every answer so far is complete. */
  async settle(): Promise<boolean> {
    if (this.#awaited.size === 0) return true;
    await this.#reader.load([...this.#awaited].map(([path, blob]) => ({ path, blob })));
    this.#awaited.clear();
    return false;
  }

  /** Calls that lead to one definition. Computed each time: a cache for all files would fill the memory. */
  calls(path: string, isAsked: (use: Use) => boolean): readonly CallEdge[] {
    return this.#graph ? followCalls(this.#graph, path, isAsked) : [];
  }

  /** Uses that lead to one definition, called or not. */
  uses(path: string, isAsked: (use: Use) => boolean): readonly UseEdge[] {
    return this.#graph ? followUses(this.#graph, path, isAsked) : [];
  }

  /** The paths at which another tree has other content, or whose text is not that of the tree. */
  differencesTo(other: CodeTree): Set<string> {
    return differingPaths(this.git, other.git).union(this.#conflicted).union(other.#conflicted);
  }

  /**
   * Tests which uses of a file can lead elsewhere in a tree that differs at these paths; null when none can. The lookups are kept: ask only
   * the tree of base, which is compared with every branch.
   */
  usesReaching(path: string, differing: ReadonlySet<string>): ((use: Use) => boolean) | null {
    const lookups = this.#lookupsOf(path);
    if (!lookups) return () => true;
    const reaching = new Set(
      [...new Set(lookups.values())].filter((paths) => !paths.isDisjointFrom(differing)),
    );
    return reaching.size === 0 ? null : (use) => reaching.has(lookups.get(use) ?? differing);
  }

  /** Null while facts are missing. */
  #lookupsOf(path: string): UseLookups | null {
    const known = this.#lookups.get(path);
    if (known) return known;
    const [graph, facts, before] = [this.#graph, this.facts(path), this.#misses];
    if (!graph || !facts) return null;
    const distinct = new Map<string, ReadonlySet<string>>();
    const lookups = new Map<Use, ReadonlySet<string>>();
    for (const use of facts.uses) {
      this.#probes.begin();
      followUse(graph, path, facts, use);
      const looked = this.#probes.end();
      lookups.set(
        use,
        remembered(distinct, [...looked].join('\n'), () => looked),
      );
    }
    if (this.#misses > before) return null;
    this.#lookups.set(path, lookups);
    return lookups;
  }

  /** The errors that functions called in a `try` raise. */
  errors(path: string, handler: Handler): readonly RaisedError[] {
    return this.#graph ? followErrors(this.#graph, path, handler) : [];
  }

  overrides(path: string): readonly Override[] {
    const linked = this.#linked.get(path);
    if (linked) return linked.overrides;
    const facts = this.facts(path);
    return facts && this.#graph ? classProblems(this.#graph, path, facts, new Trace()).overrides : [];
  }

  /** What a type name of a file refers to. */
  typeNamed(path: string, name: string): Entity {
    return this.#graph ? typeEntity(this.#graph, path, name, new Trace()) : unknown;
  }

  /** A member of a type that `typeNamed` returned. */
  memberNamed(type: DefinitionEntity, name: string): Entity {
    return this.#graph ? memberOf(this.#graph, type, name, 'instance', new Trace()) : unknown;
  }

  /** The type of the value that a literal is compared with. */
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
    const known = this.#edges.get(path);
    if (known) return known;
    const facts = this.#isRead(path) ? this.facts(path) : undefined;
    if (!facts || !this.#resolvers) return [];
    const edges = importEdges(facts, path, {
      resolve: (specifier, from) => this.#resolve(specifier, from),
      submodule: (folder, name) => this.#submodule(folder, name),
    });
    this.#edges.set(path, edges);
    return edges;
  }

  #isRead(path: string): boolean {
    const blob = this.git.blob(path);
    return this.#resolved.has(path) || (blob !== undefined && this.#reader.isLoaded(path, blob));
  }

  /** Where an import of a file leads. */
  async resolve(specifier: string, from: string): Promise<Resolution> {
    await this.#openResolvers();
    return this.#resolve(specifier, from);
  }

  async #openResolvers(): Promise<void> {
    this.#resolvers ??= createResolvers(
      this.#probes,
      this.#documents.documents,
      await this.#documents.load(this.git),
      { roots: this.#pythonRoots },
    );
  }

  #resolve(specifier: string, from: string): Resolution {
    const resolvers = this.#resolvers;
    if (!resolvers) return { status: 'unknown' as const, reason: 'not ready' };
    return this.#probes.of(() => resolvers.resolve(specifier, from));
  }

  #submodule(path: string, name: string) {
    const resolvers = this.#resolvers;
    if (!resolvers) return { path: undefined, tried: [] };
    return this.#probes.of(() => resolvers.submodule(path, name));
  }

  #files(folder: string): readonly string[] {
    const known = this.#probes.of(() => this.#folders.get(folder) ?? this.#probes.files(folder));
    this.#folders.set(folder, known);
    return known;
  }

  #isElsewhere(folder: string, file: string): boolean {
    this.#byBaseName ??= Map.groupBy(this.git.matching(isInParts), baseNameOf);
    const alike = (path: string) =>
      directoryOf(path) !== folder && baseNameOf(directoryOf(path)) === baseNameOf(folder);
    const found = this.#byBaseName.get(file)?.find(alike);
    if (found !== undefined) this.#probes.note(found);
    return found !== undefined;
  }

  /** Facts of a file that parses; undefined when it is absent, unreadable, broken or not yet loaded. */
  facts(path: string): Facts | undefined {
    const known = this.#facts.get(path);
    return known === undefined ? this.#read(path) : (known ?? undefined);
  }

  #read(path: string): Facts | undefined {
    const blob = this.git.blob(path);
    if (blob === undefined || this.#conflicted.has(path)) return this.#resolved.get(path);
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
