import type { Facts } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import { memberOf } from './members.ts';
import type { ModuleGraph } from './module-graph.ts';
import type { Trace } from './trace.ts';
import { typeEntity } from './type-values.ts';

/**
 * Where a bare name in a class may be a member of the class, of one around it, or of a base of these: `UNIT` of the base, its nested class
 * `Row`. `unknown`: a base is from outside.
 */
export function inheritedName(
  graph: ModuleGraph,
  path: string,
  facts: Facts,
  { name, scope }: { readonly name: string; readonly scope: string },
  trace: Trace,
): 'found' | 'unknown' | 'missing' {
  if (!dialectOf(path)?.classes.membersAreInScope) return 'missing';
  let answer: 'unknown' | 'missing' = 'missing';
  const parts = scope.split('.');
  const around = new Set(parts.map((_, at) => parts.slice(0, at + 1).join('.')));
  for (const definition of facts.definitions) {
    if (!around.has(symbolPath(definition)) || definition.members === null) continue;
    if (indexOf(facts).definitions(symbolPath(definition), name).length > 0) return 'found';
    const entity = { is: 'definition', path, definitions: [definition], exact: true } as const;
    const owners = [entity, ...definition.implements.map((base) => typeEntity(graph, path, base, trace))];
    for (const owner of owners) {
      const found = owner.is === 'definition' ? memberOf(graph, owner, name, 'instance', trace) : owner;
      if (found.is === 'definition') return 'found';
      if (found.is === 'unknown') answer = 'unknown';
    }
  }
  return answer;
}
