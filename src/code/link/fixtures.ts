import type { Facts } from '#code/facts/facts.ts';
import { indexOf } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import { type Entity, type ModuleGraph, unknown } from './module-graph.ts';
import type { Trace } from './trace.ts';

/** The fixture that a test runner passes to a file; null when there is none of that name. */
export function fixtureNamed(graph: ModuleGraph, path: string, name: string, trace: Trace): Entity | null {
  const rules = dialectOf(path)?.fixtures;
  if (!rules?.isAskedBy(path)) return unknown;
  let mayBeElsewhere = rules.isGiven(name);
  for (const file of rules.files(path)) {
    trace.addPaths([file]);
    const facts = graph.facts(file);
    if (!facts) continue;
    trace.add(file, name);
    trace.add(file, rules.plugins);
    if (file === path && facts.definitions.some((each) => each.container !== null && each.name === name))
      return unknown;
    const found = graph.local(file, name, trace);
    if (found?.is === 'definition') {
      if (found.definitions.length === 1 && found.definitions.every(rules.isFixture)) return found;
      if (file !== path) return unknown;
    } else if (found?.is === 'unknown') return unknown;
    mayBeElsewhere ||= bringsMore(facts, rules.plugins);
  }
  return mayBeElsewhere ? unknown : null;
}

function bringsMore(facts: Facts, plugins: string): boolean {
  const index = indexOf(facts);
  return (
    facts.opaque.length > 0 ||
    index.definitions(null, plugins).length > 0 ||
    index.imports(plugins).length > 0
  );
}
