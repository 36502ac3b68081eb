import { isObject } from '#agents/stream/find-json.ts';
import { camelKeys } from '#lib/camel-keys.ts';
import { asText, each } from './lists.ts';

/** Converts a contract to our names: other tools write `core_question`, leave out the schema, or number their tasks. */
export function contractWithOurNames(value: unknown): unknown {
  const contract = camelKeys(value);
  if (!isObject(contract)) return contract;
  const byTask = (part: Record<string, unknown>) => ({
    ...part,
    createdByTask:
      part.createdByTask === undefined || part.createdByTask === null ? null : asText(part.createdByTask),
  });
  const entities = each(contract.entities, (entity) => byTask(withType(entity)));
  return {
    schema: 'joinery/contract@1',
    ...contract,
    ...(contract.entities === undefined ? {} : { entities }),
    ...(contract.relationships === undefined ? {} : { relationships: each(contract.relationships, byTask) }),
  };
}

/** Old contracts have only a table: `src/a.py:save` is a function, `src/a.py` a file, `users` a table. */
function withType(entity: Record<string, unknown>): Record<string, unknown> {
  if (entity.type !== undefined || typeof entity.table !== 'string') return entity;
  const { table, ...rest } = entity;
  const [path, called] = table.split(':');
  if (called !== undefined) return { ...rest, type: 'function', path, function: called };
  return /[/.]/.test(table) ? { ...rest, type: 'file', path } : { ...entity, type: 'database' };
}
