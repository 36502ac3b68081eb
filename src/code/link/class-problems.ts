import type { Definition, Facts, Span } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import type { CallMismatch } from '#code/languages/dialect.ts';
import { dialectOf } from '#code/languages/index.ts';
import { symbolId } from '#schema/identity.ts';
import { type Absence, alsoOpen, isClosed } from './absence.ts';
import { describeMismatch } from './bind-call.ts';
import type { ModuleGraph } from './module-graph.ts';
import { type Override, overrideMismatch, overridesOf } from './overrides.ts';
import { place, type Report } from './problem.ts';
import { type UnkeptPromise, unkeptPromises } from './promised-members.ts';
import type { Trace } from './trace.ts';

/** Where the classes of a file do not fit what they extend or implement. */
export function classProblems(
  graph: ModuleGraph,
  path: string,
  facts: Facts,
  trace: Trace,
): { readonly reports: Report[]; readonly overrides: Override[] } {
  const reports: Report[] = [];
  const overrides: Override[] = [];
  for (const definition of facts.definitions) {
    if (definition.kind !== 'class' || definition.bases.length + definition.implements.length === 0) continue;
    if (definition.conditional || definition.ambient) continue;
    reports.push(...unimplemented(graph, path, facts, definition, trace));
    const found = overridesOf(graph, path, facts, definition, trace);
    // Only what replaces another method is lost when that one goes.
    if (dialectOf(path)?.classes.replacesInherited) overrides.push(...found.overrides);
    for (const override of found.overrides) {
      const mismatch = overrideMismatch(override);
      if (mismatch) reports.push(misfit(path, override, mismatch));
    }
    for (const entry of found.unfounded) reports.push(unfounded(path, definition, entry));
  }
  return { reports, overrides };
}

/** A class that can be instantiated must have the members that its interfaces and abstract bases require. */
function unimplemented(
  graph: ModuleGraph,
  path: string,
  facts: Facts,
  definition: Definition,
  trace: Trace,
): Report[] {
  const name = symbolPath(definition);
  const members = [...indexOf(facts).members(name).values()];
  if (definition.abstract || members.some(([member]) => member?.abstract === true)) return [];
  // Python checks only on instantiation; until then the class may be meant as another abstract class.
  const certain = isTypeChecked(path);
  // An interface of the same name is merged into the class, with everything it inherits.
  const merged = indexOf(facts)
    .definitions(definition.container, definition.name)
    .filter(({ kind }) => kind === 'interface');
  const entity = { is: 'definition', path, definitions: [definition, ...merged], exact: true } as const;
  return unkeptPromises(graph, entity, trace).map((promise) =>
    unkept(promise, { name, at: definition, scope: name, certain }),
  );
}

/** Reports a member that a class lacks, at the class or where it is instantiated. */
export function unkept(
  { path, member, absence }: UnkeptPromise,
  implementer: { name: string; at: Span; scope: string; certain: boolean },
): Report {
  const asked = symbolPath(member);
  return {
    kind: 'member-unimplemented',
    at: implementer.at,
    scope: implementer.scope,
    provider: symbolId(path, asked),
    proven: isClosed(alsoOpen(absence, !implementer.certain && 'nobody objects')),
    statement: `${implementer.name} has no ${member.name}, which ${member.container} asks for`,
    definedAt: [place(path, member, asked)],
  };
}

function misfit(path: string, override: Override, mismatch: CallMismatch): Report {
  const { member, base } = override;
  const own = symbolPath(member);
  const above = symbolPath(base);
  return {
    kind: 'override-mismatch',
    at: member,
    scope: own,
    provider: symbolId(override.path, above),
    proven: override.exact && isTypeChecked(path) && isTypeChecked(override.path),
    statement: `${own} cannot be called the way ${above} is: it ${describeMismatch(mismatch)}`,
    detail: JSON.stringify([mismatch.missing, mismatch.unexpected, mismatch.surplus]),
    mismatch,
    definedAt: [place(override.path, base, above)],
  };
}

function unfounded(
  path: string,
  definition: Definition,
  { member, absence }: { readonly member: Definition; readonly absence: Absence },
): Report {
  const own = symbolPath(member);
  return {
    kind: 'override-missing',
    at: member,
    scope: own,
    provider: symbolId(path, own),
    // Python's @override is a hint for type checkers.
    proven: isClosed(alsoOpen(absence, !isTypeChecked(path) && 'nobody objects')),
    statement: `${own} says it overrides, but ${definition.bases.join(', ')} has no ${member.name}`,
  };
}

function isTypeChecked(path: string): boolean {
  return dialectOf(path)?.isTypeChecked === true;
}
