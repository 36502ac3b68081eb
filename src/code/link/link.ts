import type {
  Comparison,
  Definition,
  Facts,
  Handler,
  Import,
  Parameter,
  Signature,
  Span,
  TypeParameters,
  Use,
} from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import type { CallMismatch, Dialect, Lookup } from '#code/languages/dialect.ts';
import { dialectOf, packageOf } from '#code/languages/index.ts';
import { noTokens } from '#code/lex/text-shape.ts';
import { symbolId } from '#schema/identity.ts';
import { ambiguousNames } from './ambiguous-names.ts';
import { bindCall, bindOptions, describeMismatch } from './bind-call.ts';
import { classProblems, unkept } from './class-problems.ts';
import { comparedType } from './compared-type.ts';
import type { LinkedFile } from './linked-file.ts';
import {
  type Access,
  type DefinitionEntity,
  isAugmented,
  memberOf,
  nobodysName,
  typeEntity,
} from './members.ts';
import { type Entity, type ModuleGraph, unknown } from './module-graph.ts';
import { expectedKeys, keysOf } from './option-keys.ts';
import type { Override } from './overrides.ts';
import { type Place, type Problem, type ProblemKind, place, type Report } from './problem.ts';
import { unkeptPromises } from './promised-members.ts';
import { type RaisedError, raisedErrors } from './raised-errors.ts';
import { Trace } from './trace.ts';

/** A call that was followed to the one definition it binds to. */
export interface CallEdge {
  readonly use: Use;
  readonly path: string;
  readonly definition: Definition;
  readonly exact: boolean;
}

/** A use that was followed to the one definition it means. */
export type UseEdge = Omit<CallEdge, 'exact'>;

/** A file as its own tree links it. */
export interface LinkedHere extends LinkedFile {
  readonly overrides: readonly Override[];
}

type Linking = Omit<LinkedHere, 'looked'>;

/** All that does not fit in one file of one tree, found by following its references as a linker would. */
export function linkFile(graph: ModuleGraph, path: string, depth: LinkDepth): Linking {
  return new FileLinker(graph, path, depth).link();
}

/** Those calls of a file that lead to one definition. */
export function followCalls(graph: ModuleGraph, path: string, isAsked: (use: Use) => boolean): CallEdge[] {
  return new FileLinker(graph, path, 'all').calls(isAsked);
}

/** Those uses of a file that lead to one definition, called or not. */
export function followUses(graph: ModuleGraph, path: string, isAsked: (use: Use) => boolean): UseEdge[] {
  return new FileLinker(graph, path, 'all').reached(isAsked);
}

/** What the functions that a `try` of a file calls raise. */
export function followErrors(graph: ModuleGraph, path: string, handler: Handler): RaisedError[] {
  return new FileLinker(graph, path, 'all').raised(handler);
}

/** `names`: only whether every name leads somewhere, which is a part of the work. */
export type LinkDepth = 'all' | 'names';

class FileLinker {
  readonly #graph: ModuleGraph;
  readonly #path: string;
  readonly #dialect: Dialect | undefined;
  readonly #trace: Trace;
  readonly #problems = new Map<string, Omit<Problem, 'sites'> & { readonly sites: Place[] }>();
  readonly #overrides: Override[] = [];
  readonly #calls: CallEdge[] = [];
  readonly #depth: LinkDepth;
  #unchecked: NonNullable<Facts['unchecked']> = [];
  readonly #gaps = { packages: new Set<string>(), imports: new Set<string>(), classes: new Set<string>() };
  #resolved = 0;
  #references = 0;

  constructor(graph: ModuleGraph, path: string, depth: LinkDepth) {
    this.#graph = graph;
    this.#path = path;
    this.#dialect = dialectOf(path);
    this.#depth = depth;
    this.#trace = new Trace(path);
  }

  link(): Linking {
    const facts = this.#graph.facts(this.#path);
    if (facts) this.#linkFacts(facts);
    const problems = [...this.#problems.values()];
    const shown = problems.flatMap(({ definedAt }) => definedAt.map(({ file }) => file));
    const shows = new Set([...shown, ...this.#overrides.map(({ path }) => path)]);
    shows.delete(this.#path);
    return {
      problems,
      shows: [...shows],
      trace: this.#trace,
      overrides: this.#overrides,
      resolved: this.#resolved,
      references: this.#references,
      gaps: {
        packages: [...this.#gaps.packages],
        imports: [...this.#gaps.imports],
        classes: [...this.#gaps.classes],
      },
    };
  }

  calls(isAsked: (use: Use) => boolean): CallEdge[] {
    const facts = this.#graph.facts(this.#path);
    for (const use of facts?.uses ?? []) if (facts && use.call && isAsked(use)) this.#use(facts, use);
    return this.#calls;
  }

  raised(handler: Handler): RaisedError[] {
    const facts = this.#graph.facts(this.#path);
    return facts ? this.#raised(facts, handler) : [];
  }

  #raised(facts: Facts, handler: Handler): RaisedError[] {
    const follow = (use: Use) => {
      const target = this.#target({ ...use, guarded: true })?.entity;
      const [definition, ...others] = target?.is === 'definition' ? target.definitions : [];
      if (target?.is !== 'definition' || !definition || others.length > 0) return null;
      return { path: target.path, raises: definition.failure?.raises ?? [] };
    };
    return raisedErrors(this.#graph, this.#path, facts, handler, follow, this.#trace);
  }

  reached(isAsked: (use: Use) => boolean): UseEdge[] {
    const edges: UseEdge[] = [];
    for (const use of this.#graph.facts(this.#path)?.uses ?? []) {
      const target = isAsked(use) ? this.#target(use)?.entity : undefined;
      const [definition, ...others] = target?.is === 'definition' ? target.definitions : [];
      if (target?.is === 'definition' && definition && others.length === 0)
        edges.push({ use, path: target.path, definition });
    }
    return edges;
  }

  get #isTypeChecked(): boolean {
    return this.#dialect?.isTypeChecked === true;
  }

  /** Only a compiler objects to a key of data that is not there. */
  #objectsTo(path: string): boolean {
    return this.#isTypeChecked || dialectOf(path)?.holds !== 'data';
  }

  get #lookup(): Lookup {
    return {
      facts: (path) => this.#graph.facts(path),
      type: (path, name) => typeEntity(this.#graph, path, name, this.#trace),
      member: (entity, name) => memberOf(this.#graph, entity, name, 'instance', this.#trace),
    };
  }

  /** What a use means; null when the way there ends in something unknown. */
  #target(use: Use): { entity: Entity; access: Access } | null {
    const root = this.#root(use);
    return root === null || root.is === 'unknown' ? null : this.#walk(root, use);
  }

  #root(use: Use): Entity | null {
    if (use.rootIs === 'name') return this.#graph.local(this.#path, use.root, this.#trace);
    const type = typeEntity(this.#graph, this.#path, use.root, this.#trace);
    // Without a compiler a function may give back more than it says.
    const isCertain = this.#isTypeChecked || !use.root.endsWith(')');
    return type.is === 'definition' && !isCertain ? { ...type, exact: false } : type;
  }

  #linkFacts(facts: Facts): void {
    this.#unchecked = facts.unchecked ?? [];
    if (this.#depth === 'all') this.#duplicates(facts);
    for (const entry of facts.imports) this.#import(entry);
    for (const entry of facts.exports) {
      if (entry.from !== null)
        this.#named(this.#graph.reexported(this.#path, entry, this.#trace), entry, entry.name, false);
      else if (entry.local !== null) this.#boundExport(facts, entry.local, entry);
    }
    for (const use of facts.uses) this.#use(facts, use);
    if (this.#depth === 'names') return;
    const { reports, overrides } = classProblems(this.#graph, this.#path, facts, this.#trace);
    for (const report of reports) this.#add(report);
    this.#overrides.push(...overrides);
    this.#ambiguousNames(facts);
    // Asked for the trace alone: rules look at them when the type, or the class of an error, changes.
    for (const handler of facts.handlers ?? []) this.#raised(facts, handler);
    for (const comparison of facts.comparisons) this.#comparison(comparison);
  }

  /** A compiler refuses to compare a union of literals with one that is not among them. */
  #comparison(comparison: Comparison): void {
    // Asked for the trace too: rules look at it when the type changes.
    const type = comparedType(this.#graph, this.#path, comparison, this.#trace);
    const [definition, ...others] = type.is === 'definition' ? type.definitions : [];
    if (type.is !== 'definition' || definition?.kind !== 'type' || others.length > 0) return;
    const { literal } = comparison;
    if (!this.#isTypeChecked || !definition.literals || definition.literals.includes(literal)) return;
    // A symbol id has dots of its own. A number may stand beside any operator: `level >= 3` is no mistake.
    if (literal.includes('.') || !literal.startsWith('"')) return;
    const name = symbolPath(definition);
    this.#report('member-missing', comparison, comparison.scope, {
      provider: symbolId(type.path, `${name}.${literal}`),
      proven: type.exact,
      statement: `${name} has no ${literal}`,
      definedAt: [place(type.path, definition, name)],
      tier: 'R2',
    });
  }

  #duplicates(facts: Facts): void {
    for (const duplicate of facts.duplicateKeys) this.#duplicateKey(duplicate);
    const groups = this.#dialect?.names.duplicates(facts) ?? [];
    const names = new Set(groups.map(({ name }) => name));
    for (const group of groups) if (!isWithin(group.name, names)) this.#duplicateDefinition(group);
    this.#duplicatesInPackage(facts);
  }

  /** The same name in two files of one package. */
  #duplicatesInPackage(facts: Facts): void {
    const folder = packageOf(this.#path);
    const rules = this.#dialect?.imports.packages;
    if (folder === null || !rules) return;
    for (const definition of facts.definitions) {
      const { container, name } = definition;
      // Members count where they stand apart from their type, which is then defined once.
      const isApart = container === null || indexOf(facts).definitions(null, container).length === 0;
      if (!isSingle(definition) || !isApart) continue;
      const clashing = (this.#graph.inPackage(folder, container, name, this.#path, this.#trace) ?? []).filter(
        ({ path, definitions }) =>
          path !== this.#path && rules.canClash(path, this.#path) && definitions.every(isSingle),
      );
      if (clashing.length === 0) continue;
      const full = symbolPath(definition);
      const files = [this.#path, ...clashing.map(({ path }) => path)].sort();
      this.#report('duplicate-definition', definition, full, {
        provider: symbolId(folder, full),
        proven: true,
        statement: `${full} is defined in ${files.join(' and in ')}`,
        detail: String(files.length),
      });
    }
  }

  #ambiguousNames(facts: Facts): void {
    for (const { name, at, from } of ambiguousNames(this.#graph, this.#path, facts, this.#trace)) {
      const definedAt = from.flatMap(({ path, definitions: [definition] }) =>
        definition ? [place(path, definition, symbolPath(definition))] : [],
      );
      // Other languages take the last one, or fail only when the name is used: only a compiler objects.
      const proven = this.#isTypeChecked && from.every(({ exact }) => exact);
      const statement = `${this.#path} gets ${name} from ${definedAt.map(({ file }) => file).join(' and from ')}`;
      for (const each of at)
        this.#report('ambiguous-name', each, name, {
          provider: symbolId(this.#path, name),
          proven,
          statement,
          definedAt,
        });
    }
  }

  #import(entry: Import): void {
    // A compiler checks an import wherever it stands; without one a guarded import may be meant to fail.
    if (entry.guarded && !this.#isTypeChecked) {
      this.#guardedImport(entry);
      return;
    }
    this.#named(this.#graph.imported(this.#path, entry, this.#trace), entry, entry.scope, false);
    if (
      entry.form === 'executed' &&
      entry.imported === '*' &&
      entry.local !== null &&
      entry.from.startsWith(`${entry.local}.`)
    ) {
      // `import a.b.c` must find c as well, though it binds only a.
      const resolution = this.#graph.resolve(entry.from, this.#path);
      if (resolution.status === 'found') this.#trace.addPaths(resolution.tried);
      if (resolution.status === 'missing') {
        this.#trace.addPaths(resolution.tried);
        this.#named(
          { is: 'missing-module', specifier: entry.from, tried: resolution.tried },
          entry,
          entry.scope,
          false,
        );
      }
    }
  }

  /** The module may be missing on purpose; a name that a module which is there does not have is another matter. */
  #guardedImport(entry: Import): void {
    const resolution = this.#graph.resolve(entry.from, this.#path);
    if (resolution.status === 'missing') this.#trace.addPaths(resolution.tried);
    if (resolution.status !== 'found' || entry.form !== 'require') return;
    const entity = this.#graph.imported(this.#path, entry, this.#trace);
    const named = entity.is === 'missing-name' ? { ...entity, certain: false } : entity;
    this.#named(named, entry, entry.scope, false);
  }

  /** Counts a followed reference and reports what it failed to find. */
  #named(entity: Entity, at: Span, scope: string, guarded: boolean): void {
    this.#references++;
    if (entity.is === 'definition' || entity.is === 'module') this.#resolved++;
    if (entity.is === 'unknown') this.#noteGap(entity);
    if (guarded) return;
    if (entity.is === 'missing-module') {
      this.#report('module-missing', at, scope, {
        provider: entity.specifier,
        proven: true,
        statement: `${JSON.stringify(entity.specifier)} leads to no file`,
        tried: entity.tried,
      });
    }
    if (entity.is === 'missing-name') {
      this.#report('export-missing', at, scope, {
        provider: symbolId(entity.path, entity.name),
        proven: entity.certain && this.#objectsTo(entity.path),
        ...(entity.lent ? { lent: true as const } : {}),
        statement: `${entity.path} has no ${entity.name}`,
      });
    }
  }

  #noteGap({ package: name, unresolved }: Extract<Entity, { is: 'unknown' }>): void {
    if (name !== undefined && !this.#dialect?.imports.isStandard(name)) this.#gaps.packages.add(name);
    if (unresolved !== undefined) this.#gaps.imports.add(unresolved);
  }

  #boundExport(facts: Facts, local: string, at: Span): void {
    const index = indexOf(facts);
    if (index.definitions(null, local).length > 0 || index.imports(local).length > 0) return;
    this.#unbound(facts, local, at, '');
  }

  #use(facts: Facts, written: Use): void {
    // A test for existence means nothing to a type checker: what is missing is an error all the same.
    const use = written.guarded && this.#isTypeChecked ? { ...written, guarded: false } : written;
    const root = this.#root(use);
    if (root === null) {
      if (!use.guarded) this.#unbound(facts, use.root, use, use.scope);
      return;
    }
    this.#references++;
    if (root.is === 'unknown') return;
    this.#resolved++;
    const target = this.#walk(root, use);
    if (target?.entity.is === 'definition') this.#typeArguments(target.entity, use);
    if (!target || !use.call || use.guarded) return;
    if (use.kind === 'type' || use.kind === 'extends') {
      if (target.entity.is !== 'definition') return;
      if (use.kind === 'type') this.#givenObject(target.entity, use);
      else this.#subclass(target.entity, use);
      return;
    }
    if (use.call.result === 'expected') {
      this.#expectation(target.entity, target.access, use);
      return;
    }
    this.#call(target.entity, target.access, use, use.call.positional);
    if (target.entity.is === 'definition' && this.#dialect?.classes.refusesAbstractInstances)
      this.#instantiation(target.entity, use);
  }

  /** An object literal that is given to a name with a type lacks what the type asks for. */
  #givenObject(entity: DefinitionEntity, use: Use): void {
    const [given] = use.call?.objects ?? [];
    if (!given || given.open || !this.#isTypeChecked || this.#isAugmented(entity.path)) return;
    const keys = keysOf(this.#graph, entity, this.#trace);
    for (const { name, required, from } of keys ?? []) {
      if (!required || given.keys.includes(name)) continue;
      this.#report('member-unimplemented', use, use.scope, {
        provider: symbolId(from.path, symbolPath(from.definition)),
        proven: entity.exact,
        statement: `an object of the type ${use.root} has no ${name}`,
        detail: 'object',
        definedAt: [place(from.path, from.definition, symbolPath(from.definition))],
      });
    }
  }

  /** Keywords of a class statement go to the base, unless a metaclass somewhere above takes them. */
  #subclass(entity: DefinitionEntity, use: Use): void {
    const [base, ...others] = entity.definitions;
    const calls = this.#dialect?.calls;
    if (!use.call || !calls || base?.kind !== 'class' || others.length > 0 || base.decorators.length > 0)
      return;
    const told = memberOf(this.#graph, entity, '__init_subclass__', 'static', this.#trace);
    const [definition, ...more] = told.is === 'definition' ? told.definitions : [];
    if (told.is !== 'definition' || !definition?.signature || more.length > 0) return;
    const mismatch = bindCall(definition.signature, use.call, calls);
    if (mismatch) this.#mismatch(told, definition, use, mismatch, false);
  }

  #typeArguments(entity: DefinitionEntity, use: Use): void {
    if (!this.#isTypeChecked || use.typeArguments === null) return;
    // A value of the same name beside a type takes no part where a type is written.
    const isType = use.kind === 'type' || use.kind === 'implements';
    const candidates = isType
      ? entity.definitions.filter(({ typeParameters }) => typeParameters !== null)
      : entity.definitions;
    const [definition] = candidates;
    const takes = definition?.typeParameters;
    const given = use.typeArguments;
    if (!definition || !takes || candidates.length !== 1) return;
    // `new Repo()` leaves them to be inferred.
    if ((use.kind === 'new' && given === 0) || (given >= takes.min && given <= takes.max)) return;
    const name = symbolPath(definition);
    this.#report('type-arguments', use, use.scope, {
      provider: symbolId(entity.path, name),
      proven: entity.exact,
      statement: `${name} takes ${countRange(takes)}, not ${given}`,
      detail: String(given),
      definedAt: [place(entity.path, definition, name)],
    });
  }

  /** Making an instance of a class that still has abstract members fails. */
  #instantiation(entity: DefinitionEntity, use: Use): void {
    const [definition] = entity.definitions;
    if (entity.definitions.length !== 1 || definition?.kind !== 'class' || use.kind !== 'call') return;
    for (const promise of unkeptPromises(this.#graph, entity, this.#trace))
      this.#add(unkept(promise, { name: symbolPath(definition), at: use, scope: use.scope, certain: true }));
  }

  /** Steps through the members of a use; null when the way ends in a problem or in something unknown. */
  #walk(root: Entity, use: Use): { entity: Entity; access: Access } | null {
    let entity = root;
    let access: Access = use.rootIs === 'instance' ? 'instance' : 'static';
    for (const [at, name] of use.path.entries()) {
      const isLast = at === use.path.length - 1;
      if (entity.is === 'module') {
        entity = this.#graph.exported(entity.path, name, this.#trace);
        this.#missing(entity, 'export-missing', use);
      } else if (entity.is === 'definition') {
        if (access === 'static' && !hasStaticMembers(entity.definitions)) return null;
        const next: Entity = memberOf(this.#graph, entity, name, access, this.#trace);
        this.#missing(next, 'member-missing', use);
        if (next.is === 'unknown') this.#noteClass(entity, access);
        const nested =
          next.is === 'definition' &&
          next.definitions.some(({ kind }) => kind === 'class' || kind === 'enum' || kind === 'namespace');
        access = nested ? 'static' : isTypedValue(entity.definitions) ? 'instance' : access;
        entity = next;
        if (nested || isLast) continue;
        entity = use.kind === 'type' ? this.#typeOfKey(next) : this.#valueOf(next);
        if (entity.is === 'unknown') return null;
        access = 'instance';
      } else return null;
    }
    return { entity, access };
  }

  /** The type of a key whose value is written out as an object: `{ address: { street } }`. */
  #typeOfKey(key: Entity): Entity {
    const [definition, ...others] = key.is === 'definition' ? key.definitions : [];
    if (key.is !== 'definition' || definition?.kind !== 'field' || others.length > 0) return unknown;
    const { type, container } = definition;
    const facts = this.#graph.facts(key.path);
    if (type === null || !facts || !this.#isTypeChecked) return unknown;
    // `interface Box<T> { value: T }`
    const owners = indexOf(facts).definitions(null, container ?? '');
    if (owners.length !== 1 || owners[0]?.typeParameters?.names.includes(type)) return unknown;
    return typeEntity(this.#graph, key.path, type, this.#trace);
  }

  /** The class of what a member holds: `self.store` of `self.store.find()`. Only an annotation speaks for all who write it. */
  #valueOf(member: Entity): Entity {
    const [definition, ...others] = member.is === 'definition' ? member.definitions : [];
    if (member.is !== 'definition' || !definition || others.length > 0) return unknown;
    const type = heldType(definition);
    if (type === null || !dialectOf(member.path)?.classes.fieldsKeepTheirType) return unknown;
    const held = typeEntity(this.#graph, member.path, type, this.#trace);
    if (held.is !== 'definition' || !held.definitions.every(({ kind }) => kind === 'class')) return unknown;
    const isAnnotated = definition.kind === 'accessor' || definition.signatureHash !== noTokens;
    return { ...held, exact: held.exact && member.exact && isAnnotated };
  }

  /** A member that a class from outside has is unknown too, though all members are known. */
  #noteClass(entity: DefinitionEntity, access: Access): void {
    const [definition] = entity.definitions;
    if (definition?.kind !== 'class') return;
    const id = symbolId(entity.path, symbolPath(definition));
    if (this.#gaps.classes.has(id)) return;
    if (memberOf(this.#graph, entity, nobodysName, access, this.#trace).is === 'unknown')
      this.#gaps.classes.add(id);
  }

  #missing(entity: Entity, kind: ProblemKind, use: Use): void {
    if (entity.is !== 'missing-name' || use.guarded) return;
    if (kind === 'member-missing' && this.#isAugmented(entity.path)) return;
    const owner =
      kind === 'member-missing' ? entity.name.slice(0, entity.name.lastIndexOf('.')) : entity.path;
    const name = kind === 'member-missing' ? entity.name.slice(owner.length + 1) : entity.name;
    this.#report(kind, use, use.scope, {
      provider: symbolId(entity.path, entity.name),
      proven: entity.certain && this.#objectsTo(entity.path),
      ...(entity.keyed ? { keyed: true as const } : {}),
      ...(entity.lent ? { lent: true as const } : {}),
      statement: `${owner} has no ${name}`,
      tier: use.rootIs === 'instance' ? 'R2' : 'R1',
    });
  }

  /** Another module may add to what this one defines; the way to it leads through what both sides import. */
  #isAugmented(path: string): boolean {
    if (!this.#isTypeChecked) return false;
    return isAugmented(this.#graph, path, [this.#path, path], this.#trace);
  }

  #call(entity: Entity, access: Access, use: Use, positional: number): void {
    if (entity.is !== 'definition' || !use.call || positional < 0) return;
    const [caller, callee] = [this.#dialect, dialectOf(entity.path)];
    if (caller?.holds !== 'code' || callee?.holds !== 'code') return;
    const callable = this.#callable(entity, access, use);
    if (!callable) return;
    const { definition, signature, exact } = callable;
    // The more lenient of both sides decides.
    const { calls, isTypeChecked } = callee.calls.isEnforced ? caller : callee;
    // A component may ignore what it is given; only what it asks for by name counts.
    const mismatch = use.kind === 'jsx' ? null : bindCall(signature, use.call, calls);
    if (mismatch) {
      this.#mismatch(entity, definition, use, mismatch, calls.isEnforced && exact);
      return;
    }
    this.#calls.push({ use, path: entity.path, definition, exact });
    if (isTypeChecked) this.#options(entity, definition, signature, use);
  }

  /** How a mock is said to have been called: likely what the function in its place is called with. */
  #expectation(entity: Entity, access: Access, use: Use): void {
    if (entity.is !== 'definition' || !use.call || !this.#dialect) return;
    const callable = this.#callable(entity, access, use);
    if (!callable) return;
    const { definition, signature } = callable;
    const mismatch = bindCall(signature, use.call, this.#dialect.calls);
    if (mismatch) this.#mismatch(entity, definition, use, mismatch, false);
    else this.#calls.push({ use, path: entity.path, definition, exact: false });
  }

  /** The one definition a call binds to; null when there are several, decorated ones, or none that is known. */
  #callable(entity: DefinitionEntity, access: Access, use: Use): Callable | null {
    const [definition] = entity.definitions;
    if (entity.definitions.length !== 1 || !definition || definition.overload || definition.conditional)
      return null;
    const rules = dialectOf(entity.path)?.classes;
    if (definition.kind === 'class')
      return rules?.instantiatedBy === 'call' || use.kind === 'new'
        ? this.#constructorOf(entity, definition)
        : null;
    if (isWrapped(entity.path, definition)) return null;
    if (use.kind === 'new' || (definition.kind !== 'function' && definition.kind !== 'method')) return null;
    const needsSelf =
      rules?.methodsTakeInstance &&
      definition.kind === 'method' &&
      access === 'static' &&
      !definition.static &&
      definition.decorators.length === 0;
    return needsSelf ? null : callableAs(definition, entity.exact);
  }

  #constructorOf(entity: DefinitionEntity, definition: Definition): Callable | null {
    const rules = dialectOf(entity.path)?.classes;
    if (definition.abstract || !rules) return null;
    const made = rules.madeConstructor(entity, this.#lookup);
    if (made === 'unknown') return null;
    if (made) return { definition, ...made };
    if (isWrapped(entity.path, definition)) return null;
    const found = memberOf(this.#graph, entity, rules.constructorName, 'instance', this.#trace);
    const only =
      found.is === 'definition' && found.definitions.length === 1 ? found.definitions[0] : undefined;
    return only && only.kind === 'constructor' && !only.overload && !isWrapped(entity.path, only)
      ? callableAs(only, entity.exact)
      : null;
  }

  /** Object literals given where a parameter lists its keys. */
  #options(entity: DefinitionEntity, callable: Definition, signature: Signature, use: Use): void {
    for (const given of use.call?.objects ?? []) {
      const parameter = signature.parameters[given.index];
      const expected = parameter && expectedKeys(this.#graph, entity.path, parameter, this.#trace);
      const mismatch = expected && bindOptions(expected, given);
      if (mismatch && !this.#isAugmentedType(entity.path, parameter))
        this.#mismatch(entity, callable, use, mismatch, entity.exact);
    }
  }

  #isAugmentedType(path: string, { typeName }: Parameter): boolean {
    const type = typeName === null ? null : typeEntity(this.#graph, path, typeName, this.#trace);
    return type?.is === 'definition' && this.#isAugmented(type.path);
  }

  #mismatch(
    entity: DefinitionEntity,
    callable: Definition,
    use: Use,
    mismatch: CallMismatch,
    proven: boolean,
  ): void {
    const name = symbolPath(callable);
    this.#report('call-mismatch', use, use.scope, {
      provider: symbolId(entity.path, name),
      proven,
      statement: `${name} ${describeMismatch(mismatch)}`,
      detail: JSON.stringify([mismatch.missing, mismatch.unexpected, mismatch.surplus]),
      mismatch,
      definedAt: [place(entity.path, callable, name)],
      tier: use.rootIs === 'instance' ? 'R2' : 'R1',
    });
  }

  #unbound(facts: Facts, name: string, at: Span, scope: string): void {
    const isModule = facts.module === 'esm' || facts.module === 'namespace';
    this.#report('name-unbound', at, scope, {
      provider: symbolId(this.#path, name),
      proven: isModule && facts.opaque.length === 0,
      statement: `${name} is neither defined nor imported in ${this.#path}`,
    });
  }

  #duplicateKey(duplicate: Facts['duplicateKeys'][number]): void {
    for (const line of duplicate.lines) {
      this.#report('duplicate-key', { line, column: 1, endLine: line }, duplicate.key, {
        provider: symbolId(this.#path, duplicate.key),
        proven: true,
        statement: `the key ${JSON.stringify(duplicate.key)} stands ${duplicate.lines.length} times in ${this.#path}`,
        detail: String(duplicate.lines.length),
      });
    }
  }

  #duplicateDefinition(group: { readonly name: string; readonly at: readonly Span[] }): void {
    for (const at of group.at) {
      this.#report('duplicate-definition', at, group.name, {
        provider: symbolId(this.#path, group.name),
        proven: true,
        statement: `${group.name} is defined ${group.at.length} times in ${this.#path}`,
        detail: String(group.at.length),
      });
    }
  }

  /** The author has told the compiler to be silent here; a chain or a call may be at fault below its first line. */
  #isUnchecked(kind: ProblemKind, { line, endLine }: Span): boolean {
    if (this.#unchecked === 'all') return true;
    const last = kind === 'member-missing' || kind === 'call-mismatch' ? endLine : line;
    return this.#unchecked.some((each) => each >= line && each <= last);
  }

  #add({ kind, at, scope, ...problem }: Report): void {
    this.#report(kind, at, scope, problem);
  }

  #report(
    kind: ProblemKind,
    at: Span,
    scope: string,
    problem: Partial<Omit<Problem, 'sites'>> & {
      provider: string;
      proven: boolean;
      statement: string;
      detail?: string;
    },
  ): void {
    if (this.#isUnchecked(kind, at)) return;
    const { detail = '', ...rest } = problem;
    const consumer = symbolId(this.#path, scope);
    const key = JSON.stringify([kind, consumer, problem.provider, detail]);
    const site = place(this.#path, at, scope);
    const known = this.#problems.get(key);
    if (known) known.sites.push(site);
    else {
      this.#problems.set(key, {
        kind,
        key,
        consumer,
        file: this.#path,
        sites: [site],
        definedAt: [],
        tier: 'R1',
        mismatch: null,
        tried: [],
        ...rest,
      });
    }
  }
}

/** What a call binds to; the constructor that Python makes of fields has no definition but the class. */
interface Callable {
  readonly definition: Definition;
  readonly signature: Signature;
  readonly exact: boolean;
}

function callableAs(definition: Definition, exact: boolean): Callable | null {
  return definition.signature ? { definition, signature: definition.signature, exact } : null;
}

/** Neither one of several by design, nor one of several systems. */
/** A decorator may put something else in its place. A compiler of types takes what is written. */
function isWrapped(path: string, { decorators }: Definition): boolean {
  if (dialectOf(path)?.isTypeChecked) return false;
  return decorators.some((name) => name !== 'staticmethod' && name !== 'classmethod');
}

/** `Box.get` of a `Box` that stands among the names: one cause. */
function isWithin(name: string, names: ReadonlySet<string>): boolean {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1))
    if (names.has(name.slice(0, dot))) return true;
  return false;
}

function isSingle({ overload, conditional, ambient }: Definition): boolean {
  return !overload && !conditional && !ambient;
}

/** A variable whose value is known to be an instance of a class. */
function isTypedValue(definitions: readonly Definition[]): boolean {
  return definitions.every(({ kind, type }) => kind === 'variable' && type !== null);
}

/** Functions and plain values may carry any property; classes, enums, namespaces and object literals list theirs. */
function hasStaticMembers(definitions: readonly Definition[]): boolean {
  return definitions.every(
    ({ kind, members, type }) =>
      kind === 'class' ||
      kind === 'enum' ||
      kind === 'namespace' ||
      (kind === 'variable' && (members !== null || type !== null)) ||
      kind === 'interface' ||
      kind === 'type',
  );
}

/** The named type of a field, or of what a property says it returns. */
function heldType({ kind, type, signature, overload, decorators }: Definition): string | null {
  if (kind === 'field') return type;
  const isProperty = kind === 'accessor' && !overload && decorators.length === 1;
  return isProperty ? (/^[A-Za-z_][\w.]*$/.exec(signature?.returns ?? '')?.[0] ?? null) : null;
}

function countRange({ min, max }: TypeParameters): string {
  const count = min === max ? `${max}` : `${min} to ${max}`;
  return `${count} type argument${count === '1' ? '' : 's'}`;
}
