import type { Facts, Span } from '#code/facts/facts.ts';
import type { Dialect, Lookup } from '#code/languages/dialect.ts';
import { dialectOf } from '#code/languages/index.ts';
import { remembered } from '#lib/remembered.ts';
import { symbolId } from '#schema/identity.ts';
import type { Gaps } from './linked-file.ts';
import { isAugmented, memberOf } from './members.ts';
import type { Entity, ModuleGraph } from './module-graph.ts';
import {
  type Place,
  type Problem,
  type ProblemKind,
  type ProblemOf,
  type Proof,
  place,
  type Report,
} from './problem.ts';
import { Trace } from './trace.ts';
import { typeEntity } from './type-values.ts';

/** One file of one tree while it is linked: its lookups and its problems. */
export class LinkContext {
  readonly graph: ModuleGraph;
  readonly path: string;
  readonly dialect: Dialect | undefined;
  readonly trace: Trace;
  readonly gaps = { packages: new Set<string>(), imports: new Set<string>(), classes: new Set<string>() };
  /** Lines with suppressed compiler errors. */
  unchecked: NonNullable<Facts['unchecked']> = [];
  readonly #problems = new Map<string, Problem & { readonly sites: Place[] }>();

  readonly #augmented = new Map<string, boolean>();
  /** What the first names of uses refer to: a file uses most of its imports many times. */
  readonly roots = new Map<string, Entity | null>();
  /** The types of what literals are compared with or given to. */
  readonly compared = new Map<string, Entity>();

  constructor(graph: ModuleGraph, path: string) {
    this.graph = graph;
    this.path = path;
    this.dialect = dialectOf(path);
    this.trace = new Trace(path);
  }

  get problems(): Problem[] {
    return [...this.#problems.values()];
  }

  /** What following references could not look into. */
  get unknown(): Gaps {
    const { packages, imports, classes } = this.gaps;
    return { packages: [...packages], imports: [...imports], classes: [...classes] };
  }

  get isTypeChecked(): boolean {
    return this.dialect?.isTypeChecked === true;
  }

  /** Only a compiler rejects a missing key of data. */
  objectsTo(path: string): boolean {
    return this.isTypeChecked || dialectOf(path)?.holds !== 'data';
  }

  /** Another module may add to what this one defines; it is found through the imports of both. */
  isAugmented(path: string): boolean {
    if (!this.isTypeChecked) return false;
    return remembered(this.#augmented, path, () =>
      isAugmented(this.graph, path, [this.path, path], this.trace),
    );
  }

  get lookup(): Lookup {
    return {
      facts: (path) => this.graph.facts(path),
      type: (path, name) => typeEntity(this.graph, path, name, this.trace),
      member: (entity, name) => memberOf(this.graph, entity, name, 'instance', this.trace),
    };
  }

  noteGap({ package: name, unresolved }: Extract<Entity, { is: 'unknown' }>): void {
    if (name !== undefined && !this.dialect?.imports.isStandard(name)) this.gaps.packages.add(name);
    if (unresolved !== undefined) this.gaps.imports.add(unresolved);
  }

  add({ kind, at, scope, ...problem }: Report): void {
    this.report(kind, at, scope, problem);
  }

  report<Kind extends ProblemKind>(
    kind: Kind,
    at: Span,
    scope: string,
    problem: Partial<Omit<ProblemOf<Kind>, 'sites' | 'kind'>> & {
      provider: string;
      proven: Proof<Kind>;
      statement: string;
      detail?: string;
    },
  ): void {
    if (this.#isUnchecked(kind, at)) return;
    const { detail = '', ...rest } = problem;
    const consumer = symbolId(this.path, scope);
    const key = JSON.stringify([kind, consumer, problem.provider, detail]);
    const site = place(this.path, at, scope);
    const known = this.#problems.get(key);
    if (known) known.sites.push(site);
    else {
      const full: Omit<ProblemOf<Kind>, 'sites'> & { readonly sites: Place[] } = {
        kind,
        key,
        consumer,
        file: this.path,
        sites: [site],
        definedAt: [],
        tier: 'R1',
        mismatch: null,
        tried: [],
        ...rest,
      };
      this.#problems.set(key, full as Problem & { readonly sites: Place[] });
    }
  }

  /** The errors here are suppressed; in a chain or a call the error may be below its first line. */
  #isUnchecked(kind: ProblemKind, { line, endLine }: Span): boolean {
    if (this.unchecked === 'all') return true;
    const last = kind === 'member-missing' || kind === 'call-mismatch' ? endLine : line;
    return this.unchecked.some((each) => each >= line && each <= last);
  }
}
