import type { Comparison } from '#code/facts/facts.ts';
import { memberOf } from './members.ts';
import { type Entity, type ModuleGraph, unknown } from './module-graph.ts';
import type { Trace } from './trace.ts';
import { typeEntity, typeOfValue } from './type-values.ts';

/** The type of the value that a literal is compared with: of a variable, or of a member read from it; the member if it lists its values. */
export function comparedType(
  graph: ModuleGraph,
  path: string,
  { root, rootIs, path: [member] }: Comparison,
  trace: Trace,
): Entity {
  const owner = typeEntity(graph, path, root, trace);
  if (rootIs === 'name' || member === undefined || owner.is !== 'definition') return owner;
  const found = memberOf(graph, owner, member, 'instance', trace);
  // `status: 'open' | 'done'`
  if (found.is === 'definition' && found.definitions[0]?.literals) return found;
  const [field] = found.is === 'definition' ? found.definitions : [];
  return found.is === 'definition' && field?.type
    ? typeOfValue(graph, found, field, field.type, trace)
    : unknown;
}
