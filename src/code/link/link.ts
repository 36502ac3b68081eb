import type { Facts, Handler, Import, Span, Use } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import { symbolId } from '#schema/identity.ts';
import { absent, absentFromModule, alsoOpen, isClosed } from './absence.ts';
import { ambiguousNames } from './ambiguous-names.ts';
import { type CallEdge, checkCall, checkExpectation, checkGivenFunction, checkSubclass } from './call-fit.ts';
import { classProblems } from './class-problems.ts';
import { checkDuplicates } from './duplicates.ts';
import { rootOf, targetOf, walkFrom } from './follow-use.ts';
import { LinkContext } from './link-context.ts';
import type { LinkedFile } from './linked-file.ts';
import type { DefinitionEntity } from './members.ts';
import type { Entity, ModuleGraph } from './module-graph.ts';
import type { Override } from './overrides.ts';
import { place } from './problem.ts';
import { type RaisedError, raisedErrors } from './raised-errors.ts';
import { checkComparison, checkInstance, checkObject, checkTypeArguments } from './type-fit.ts';

export type { CallEdge };

/** A use that was followed to the one definition it means. */
export type UseEdge = Omit<CallEdge, 'exact'>;

/** A file linked in its own tree. */
export interface LinkedHere extends LinkedFile {
  readonly overrides: readonly Override[];
}

type Linking = Omit<LinkedHere, 'looked'>;

/**
 * All problems of one file in one tree, found by following its references as a linker would. `isInVain`: facts were missing, so that the
 * file will be linked again; it then stops after the imports, which lead to most of what is missing.
 */
export function linkFile(
  graph: ModuleGraph,
  path: string,
  depth: LinkDepth,
  isInVain: () => boolean = () => false,
): Linking {
  return new FileLinker(graph, path, depth).link(isInVain);
}

/** The calls of a file that lead to one definition. */
export function followCalls(graph: ModuleGraph, path: string, isAsked: (use: Use) => boolean): CallEdge[] {
  return new FileLinker(graph, path, 'all').calls(isAsked);
}

/** The uses of a file that lead to one definition, called or not. */
export function followUses(graph: ModuleGraph, path: string, isAsked: (use: Use) => boolean): UseEdge[] {
  return new FileLinker(graph, path, 'all').reached(isAsked);
}

/** Follows one use of a file, for the lookups that this takes. */
export function followUse(graph: ModuleGraph, path: string, facts: Facts, use: Use): void {
  new FileLinker(graph, path, 'all').follow(facts, use);
}

/** The errors that functions called in a `try` of a file raise. */
export function followErrors(graph: ModuleGraph, path: string, handler: Handler): RaisedError[] {
  return new FileLinker(graph, path, 'all').raised(handler);
}

/** `names`: only checks that every name leads somewhere, which is a part of the work. */
export type LinkDepth = 'all' | 'names';

class FileLinker {
  readonly #context: LinkContext;
  readonly #depth: LinkDepth;
  readonly #overrides: Override[] = [];
  readonly #calls: CallEdge[] = [];
  #resolved = 0;
  #references = 0;

  constructor(graph: ModuleGraph, path: string, depth: LinkDepth) {
    this.#context = new LinkContext(graph, path);
    this.#depth = depth;
  }

  link(isInVain: () => boolean): Linking {
    const { graph, path } = this.#context;
    const facts = graph.facts(path);
    if (facts) this.#linkFacts(facts, isInVain);
    const { problems, trace, unknown } = this.#context;
    const shown = problems.flatMap(({ definedAt }) => definedAt.map(({ file }) => file));
    const shows = new Set([...shown, ...this.#overrides.map(({ path }) => path)]);
    shows.delete(path);
    return {
      problems,
      shows: [...shows],
      trace,
      overrides: this.#overrides,
      resolved: this.#resolved,
      references: this.#references,
      gaps: unknown,
    };
  }

  calls(isAsked: (use: Use) => boolean): CallEdge[] {
    const { graph, path } = this.#context;
    const facts = graph.facts(path);
    for (const use of facts?.uses ?? []) if (facts && use.call && isAsked(use)) this.#use(facts, use);
    return this.#calls;
  }

  follow(facts: Facts, use: Use): void {
    this.#use(facts, use);
  }

  raised(handler: Handler): RaisedError[] {
    const { graph, path } = this.#context;
    const facts = graph.facts(path);
    return facts ? this.#raised(facts, handler) : [];
  }

  #raised(facts: Facts, handler: Handler): RaisedError[] {
    const { graph, path, trace } = this.#context;
    const follow = (use: Use) => {
      const target = targetOf(this.#context, { ...use, guarded: true })?.entity;
      const [definition, ...others] = target?.is === 'definition' ? target.definitions : [];
      if (target?.is !== 'definition' || !definition || others.length > 0) return null;
      return { path: target.path, raises: definition.failure?.raises ?? [] };
    };
    return raisedErrors(graph, path, facts, handler, follow, trace);
  }

  reached(isAsked: (use: Use) => boolean): UseEdge[] {
    const { graph, path } = this.#context;
    const edges: UseEdge[] = [];
    for (const use of graph.facts(path)?.uses ?? []) {
      const target = isAsked(use) ? targetOf(this.#context, use)?.entity : undefined;
      const [definition, ...others] = target?.is === 'definition' ? target.definitions : [];
      if (target?.is === 'definition' && definition && others.length === 0)
        edges.push({ use, path: target.path, definition });
    }
    return edges;
  }

  #linkFacts(facts: Facts, isInVain: () => boolean): void {
    const { graph, path, trace } = this.#context;
    this.#context.unchecked = facts.unchecked ?? [];
    if (this.#depth === 'all') checkDuplicates(this.#context, facts);
    for (const entry of facts.imports) this.#import(entry);
    for (const entry of facts.exports) {
      if (entry.from !== null) this.#named(graph.reexported(path, entry, trace), entry, entry.name);
      else if (entry.local !== null) this.#boundExport(facts, entry.local, entry);
    }
    if (isInVain()) return;
    for (const use of facts.uses) this.#use(facts, use);
    if (this.#depth === 'names') return;
    const { reports, overrides } = classProblems(graph, path, facts, trace);
    for (const report of reports) this.#context.add(report);
    this.#overrides.push(...overrides);
    this.#ambiguousNames(facts);
    // Only for the trace: rules look at these when the type, or the class of an error, changes.
    for (const handler of facts.handlers ?? []) this.#raised(facts, handler);
    for (const comparison of facts.comparisons) checkComparison(this.#context, comparison);
  }

  #ambiguousNames(facts: Facts): void {
    const { graph, path, trace, isTypeChecked } = this.#context;
    for (const { name, at, from } of ambiguousNames(graph, path, facts, trace)) {
      const definedAt = from.flatMap(({ path, definitions: [definition] }) =>
        definition ? [place(path, definition, symbolPath(definition))] : [],
      );
      // Other languages take the last one, or fail only when the name is used: only a compiler rejects it.
      const proven = isTypeChecked && from.every(({ exact }) => exact);
      const statement = `${path} gets ${name} from ${definedAt.map(({ file }) => file).join(' and from ')}`;
      for (const each of at)
        this.#context.report('ambiguous-name', each, name, {
          provider: symbolId(path, name),
          proven,
          statement,
          definedAt,
        });
    }
  }

  #import(entry: Import): void {
    const { graph, path, trace, isTypeChecked } = this.#context;
    // A compiler checks every import; without one a guarded import may be meant to fail.
    if (entry.guarded && !isTypeChecked) {
      this.#guardedImport(entry);
      return;
    }
    this.#named(graph.imported(path, entry, trace), entry, entry.scope);
    if (
      entry.form === 'executed' &&
      entry.imported === '*' &&
      entry.local !== null &&
      entry.from.startsWith(`${entry.local}.`)
    ) {
      // `import a.b.c` must also find c, although it binds only a.
      const resolution = graph.resolve(entry.from, path);
      if (resolution.status === 'found') trace.addPaths(resolution.tried);
      if (resolution.status === 'missing') {
        trace.addPaths(resolution.tried);
        this.#named(
          { is: 'missing-module', specifier: entry.from, tried: resolution.tried, absence: absent() },
          entry,
          entry.scope,
        );
      }
    }
  }

  /** The module may be missing on purpose, but a name that an existing module lacks is a problem. */
  #guardedImport(entry: Import): void {
    const { graph, path, trace } = this.#context;
    const resolution = graph.resolve(entry.from, path);
    if (resolution.status === 'missing') trace.addPaths(resolution.tried);
    if (resolution.status !== 'found' || entry.form !== 'require') return;
    const entity = graph.imported(path, entry, trace);
    const named =
      entity.is === 'missing-name'
        ? { ...entity, absence: alsoOpen(entity.absence, 'nobody objects') }
        : entity;
    this.#named(named, entry, entry.scope);
  }

  /** Counts a followed reference and reports what is missing. */
  #named(entity: Entity, at: Span, scope: string): void {
    this.#references++;
    if (entity.is === 'definition' || entity.is === 'module') this.#resolved++;
    if (entity.is === 'unknown') this.#context.noteGap(entity);
    if (entity.is === 'missing-module') {
      this.#context.report('module-missing', at, scope, {
        provider: entity.specifier,
        proven: isClosed(entity.absence),
        statement: `${JSON.stringify(entity.specifier)} leads to no file`,
        tried: entity.tried,
      });
    }
    if (entity.is === 'missing-name') {
      this.#context.report('export-missing', at, scope, {
        provider: symbolId(entity.path, entity.name),
        proven: isClosed(alsoOpen(entity.absence, !this.#context.objectsTo(entity.path) && 'nobody objects')),
        ...(entity.lent ? { lent: true as const } : {}),
        statement: `${entity.path} has no ${entity.name}`,
      });
    }
  }

  #boundExport(facts: Facts, local: string, at: Span): void {
    const index = indexOf(facts);
    if (index.definitions(null, local).length > 0 || index.imports(local).length > 0) return;
    this.#unbound(facts, local, at, '');
  }

  #use(facts: Facts, written: Use): void {
    // Code casts to read members that a type does not have: only what a branch takes away counts (`lostMembers`).
    if (written.rootIs === 'cast') return;
    const { dialect, isTypeChecked } = this.#context;
    // A type checker ignores tests for existence: a missing name is an error anyway.
    const use = written.guarded && isTypeChecked ? { ...written, guarded: false } : written;
    const root = rootOf(this.#context, use);
    if (root === null) {
      if (!use.guarded) this.#unbound(facts, use.root, use, use.scope, use.rootIs === 'fixture');
      return;
    }
    this.#references++;
    if (root.is === 'unknown') return;
    this.#resolved++;
    const target = walkFrom(this.#context, root, use);
    if (target?.entity.is === 'definition') checkTypeArguments(this.#context, target.entity, use);
    if (!target || !use.call || use.guarded) return;
    if (use.kind === 'type' || use.kind === 'extends') {
      if (target.entity.is !== 'definition') return;
      if (use.kind === 'type') this.#given(target.entity, use);
      else checkSubclass(this.#context, target.entity, use);
      return;
    }
    const check = use.call.result === 'expected' ? checkExpectation : checkCall;
    const edge = check(this.#context, target.entity, target.access, use);
    if (edge) this.#calls.push(edge);
    if (use.call.result === 'expected') return;
    if (target.entity.is === 'definition' && dialect?.classes.refusesAbstractInstances)
      checkInstance(this.#context, target.entity, use);
  }

  /** An object or a function that is assigned to a type. */
  #given(entity: DefinitionEntity, use: Use): void {
    if ((use.call?.objects.length ?? 0) > 0) checkObject(this.#context, entity, use);
    else checkGivenFunction(this.#context, entity, use);
  }

  #unbound(facts: Facts, name: string, at: Span, scope: string, isFixture = false): void {
    const { path } = this.#context;
    const isModule = facts.module === 'esm' || facts.module === 'namespace';
    this.#context.report('name-unbound', at, scope, {
      provider: symbolId(path, name),
      proven: isClosed(
        alsoOpen(
          absentFromModule(path, facts, name),
          !isModule && 'not a module',
          // A plugin may provide a fixture.
          isFixture && 'nobody objects',
        ),
      ),
      statement: isFixture
        ? `${path} asks for the fixture ${name}, and there is none`
        : `${name} is neither defined nor imported in ${path}`,
    });
  }
}
