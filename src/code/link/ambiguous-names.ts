import type { Facts, Span } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf, packageOf } from '#code/languages/index.ts';
import { packageIn, partsOfPackage } from '#code/languages/shared/packages.ts';
import { upwardFrom } from '#code/resolve/repository-path.ts';
import type { DefinitionEntity } from './members.ts';
import { isHiddenFrom, type ModuleGraph } from './module-graph.ts';
import type { Trace } from './trace.ts';

/** A name that one module gets from two others at once, by `export *` or by star imports. */
export interface AmbiguousName {
  readonly name: string;
  /** The star statements that import it. */
  readonly at: readonly Span[];
  readonly from: readonly DefinitionEntity[];
}

interface Star {
  readonly at: Span;
  readonly path: string;
  readonly names: StarNames;
}

/** Each name, with the modules that may provide it where known. */
type StarNames = ReadonlyMap<string, readonly string[]>;

/** Means every name of a file: anything added to the file may matter. */
const everyName = '**';

export function ambiguousNames(
  graph: ModuleGraph,
  path: string,
  facts: Facts,
  trace: Trace,
): AmbiguousName[] {
  const isNamespace = facts.module === 'namespace';
  const statements = isNamespace
    ? facts.imports.filter(({ imported, scope, guarded }) => imported === '**' && scope === '' && !guarded)
    : facts.exports.filter(({ name, from }) => name === '*' && from !== null);
  if (statements.length < 2) return [];
  const stars = statements.flatMap((statement): Star[] => {
    const resolution = graph.resolve(statement.from ?? '', path);
    if (resolution.status !== 'found' || !resolution.exact || resolution.path === packageOf(path)) return [];
    const names = isNamespace
      ? new Map([...publicNames(graph, resolution.path, trace)].map((name) => [name, []]))
      : starNames(graph, resolution.path, trace);
    return [{ at: statement, path: resolution.path, names }];
  });
  const own = ownNames(facts);
  const asked = askedNames(path, facts);
  const byName = Map.groupBy(
    stars.flatMap((star) => [...star.names.keys()].map((name) => ({ name, star }))),
    ({ name }) => name,
  );
  return [...byName].flatMap(([name, bringers]) => {
    if (bringers.length < 2 || own.has(name) || asked?.has(name) === false) return [];
    if (haveOneSource(name, bringers)) return [];
    if (isInOwnPackage(graph, path, name, trace)) return [];
    return ambiguous(
      graph,
      name,
      bringers.map(({ star }) => star),
      isNamespace,
      trace,
    );
  });
}

/** Names that the module defines or re-exports by name hide those from stars. */
function ownNames(facts: Facts): ReadonlySet<string> {
  if (facts.module !== 'namespace') return new Set(facts.exports.map(({ name }) => name));
  const { moduleNames, importedNames } = indexOf(facts);
  return new Set([...moduleNames.keys(), ...importedNames.keys()]);
}

/** A compiler rejects a name that two stars provide only where it is used. null: every name. */
function askedNames(path: string, facts: Facts): ReadonlySet<string> | null {
  const isChecked = facts.module === 'namespace' && dialectOf(path)?.isTypeChecked === true;
  return isChecked ? new Set(facts.uses.map(({ root }) => root)) : null;
}

/** Names of the own package, and in C# of the enclosing ones, hide those from stars. */
function isInOwnPackage(graph: ModuleGraph, path: string, name: string, trace: Trace): boolean {
  const own = partsOfPackage(packageOf(path) ?? '');
  if (own === null) return false;
  return [...upwardFrom(own.folder)].some(
    (folder) => graph.inPackage(packageIn(folder, own.ending), null, name, path, trace)?.length !== 0,
  );
}

function ambiguous(
  graph: ModuleGraph,
  name: string,
  stars: readonly Star[],
  isNamespace: boolean,
  trace: Trace,
): AmbiguousName[] {
  const found = new Map<string, { at: Span; entity: DefinitionEntity }>();
  for (const { at, path } of stars) {
    const isFile = isNamespace && partsOfPackage(path) === null;
    const entity = isFile ? graph.local(path, name, trace) : graph.exported(path, name, trace);
    const [first] = entity?.is === 'definition' ? entity.definitions : [];
    if (entity?.is !== 'definition' || !first || isHiddenFrom(entity, trace.own)) continue;
    const key = `${entity.path}#${symbolPath(first)}`;
    if (!found.has(key)) found.set(key, { at, entity });
  }
  if (found.size < 2) return [];
  const all = [...found.values()];
  return [{ name, at: all.map(({ at }) => at), from: all.map(({ entity }) => entity) }];
}

/** All stars provide the name from the same module: following each of them would give the same result. */
function haveOneSource(name: string, bringers: readonly { readonly star: Star }[]): boolean {
  const sources = new Set<string>();
  for (const { star } of bringers) {
    for (const source of star.names.get(name) ?? []) sources.add(source);
    if (sources.size > 1) return false;
  }
  return sources.size === 1;
}

interface Reached {
  readonly names: StarNames;
  readonly modules: readonly string[];
}

/** Caches results, so that cycles of re-exports are walked once per module, not once per path. */
const reached = new WeakMap<ModuleGraph, Map<string, Reached>>();

/** Every name that `export *` of a module re-exports. */
function starNames(graph: ModuleGraph, path: string, trace: Trace): StarNames {
  const known = reached.get(graph) ?? new Map<string, Reached>();
  reached.set(graph, known);
  const found = known.get(path) ?? walkStars(graph, path, known);
  for (const module of found.modules) trace.add(module, everyName);
  return found.names;
}

function walkStars(graph: ModuleGraph, path: string, known: Map<string, Reached>): Reached {
  const names = new Map<string, string[]>();
  const seen = new Set([path]);
  let isWhole = true;
  // Iterating a Set also visits elements added during the loop.
  for (const module of seen) {
    const facts = graph.facts(module);
    if (!facts) isWhole = false;
    for (const entry of facts?.exports ?? []) {
      if (entry.name !== '*') {
        if (entry.name === 'default') continue;
        const sources = names.get(entry.name) ?? [];
        if (sources.at(-1) !== module) sources.push(module);
        names.set(entry.name, sources);
        continue;
      }
      const target = graph.resolve(entry.from ?? '', module);
      if (target.status === 'found') seen.add(target.path);
    }
  }
  const result = { names, modules: [...seen] };
  // A module that could not be read may be loaded by the next call.
  if (isWhole) known.set(path, result);
  return result;
}

function publicNames(graph: ModuleGraph, path: string, trace: Trace): Set<string> {
  trace.add(path, everyName);
  const files = graph.packageFiles(path, path);
  if (files.length > 0) return new Set(files.flatMap((file) => [...definedNames(graph, file)]));
  const facts = graph.facts(path);
  if (!facts) return new Set();
  if (facts.publicNames) return new Set(facts.publicNames);
  const { moduleNames, importedNames } = indexOf(facts);
  const isPublic = dialectOf(path)?.names.isPublic;
  return new Set([...moduleNames.keys(), ...importedNames.keys()].filter((name) => isPublic?.(facts, name)));
}

function definedNames(graph: ModuleGraph, path: string): Iterable<string> {
  const facts = graph.facts(path);
  const isPublic = dialectOf(path)?.names.isPublic;
  return facts ? [...indexOf(facts).moduleNames.keys()].filter((name) => isPublic?.(facts, name)) : [];
}
