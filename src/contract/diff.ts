import type { Contract } from '#schema/contract.ts';
import type { ContractDiffReport } from '#schema/contract-report.ts';
import { statedName } from './judge/signature.ts';

type Entity = Contract['entities'][number];
type Differences = Pick<ContractDiffReport, 'added' | 'removed' | 'changed' | 'relationships'>;

/** The differences between two versions of a contract, as far as files could be read. */
export function diffContracts(
  before: Contract,
  after: Contract,
  unread: ReadonlySet<string> = new Set(),
): Differences {
  const old = new Map(before.entities.map((entity) => [entity.name, entity]));
  const now = new Map(after.entities.map((entity) => [entity.name, entity]));
  const named = ({ name, path }: Entity) => ({ name, file: path ?? null });
  const isRead = ({ path }: Entity) => path === undefined || !unread.has(path);
  const relations = ({ relationships }: Contract) =>
    new Set(relationships.map(({ from, to, type, via }) => `${from} ${type} ${to} via ${via}`));
  const [oldWays, newWays] = [relations(before), relations(after)];
  return {
    added: after.entities.filter((entity) => !old.has(entity.name) && isRead(entity)).map(named),
    removed: before.entities.filter((entity) => !now.has(entity.name) && isRead(entity)).map(named),
    changed: after.entities.flatMap((entity) => {
      const was = old.get(entity.name);
      const changes = was ? changesOf(was, entity) : [];
      return changes.length === 0 ? [] : [{ ...named(entity), changes }];
    }),
    relationships: {
      added: [...newWays].filter((way) => !oldWays.has(way)),
      removed: [...oldWays].filter((way) => !newWays.has(way)),
    },
  };
}

function changesOf(was: Entity, is: Entity): string[] {
  const fields = (entity: Entity) =>
    new Map(entity.keyFields.map((field) => [statedName(field).name, field]));
  const [old, now] = [fields(was), fields(is)];
  return [
    ...(was.type === is.type ? [] : [`it was a ${was.type} and is a ${is.type}`]),
    ...(was.path === is.path ? [] : [`moved from ${was.path ?? 'nowhere'} to ${is.path ?? 'nowhere'}`]),
    ...(was.table === is.table ? [] : [`table ${was.table ?? 'none'} is ${is.table ?? 'none'}`]),
    ...(was.function === is.function ? [] : [`${was.function ?? 'nothing'} is ${is.function ?? 'nothing'}`]),
    ...[...old.keys()].filter((name) => !now.has(name)).map((name) => `field ${name} is gone`),
    ...[...now.keys()].filter((name) => !old.has(name)).map((name) => `field ${name} is new`),
    ...[...now].flatMap(([name, field]) => {
      const before = old.get(name);
      return before !== undefined && before !== field ? [`field ${before} is ${field}`] : [];
    }),
  ];
}
