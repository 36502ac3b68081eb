import type { CodeModel } from '#contract/shapes.ts';
import type { Contract } from '#schema/contract.ts';
import { judgeEntity } from './entities.ts';
import { type Judged, worst } from './judged.ts';
import { judgeQuery } from './queries.ts';
import { judgeRelationship } from './relationships.ts';

/** Compares every item of a contract with the code. */
export function judgeContract(contract: Contract, model: CodeModel): Judged[] {
  if (contract.entities.length === 0)
    return [
      {
        kind: 'question',
        name: contract.coreQuestion,
        task: null,
        status: 'missing',
        detail: 'the contract names no entity, so nothing is agreed',
        evidence: [],
      },
    ];
  const entities = contract.entities.map((entity) => judgeEntity(model, entity));
  const relations = contract.relationships.map((each) => judgeRelationship(model, contract, each));
  const byName = (items: readonly Judged[]) => new Map(items.map((item) => [item.name, item]));
  const queries = contract.coreQueries.map((query) =>
    judgeQuery(model, contract, byName(relations), byName(entities), query),
  );
  return [...entities, ...relations, ...queries, ...judgeQuestion(contract, queries)];
}

/** The core question can be answered if the core queries can be followed. */
function judgeQuestion({ coreQuestion }: Contract, queries: readonly Judged[]): Judged[] {
  if (queries.length === 0) return [];
  const status = worst(queries.map((query) => query.status));
  const bad = queries.filter((query) => query.status !== 'satisfied');
  return [
    {
      kind: 'question',
      name: coreQuestion,
      task: null,
      status,
      detail:
        bad.length === 0 ? 'it can be answered' : `it depends on: ${bad.map(({ name }) => name).join(', ')}`,
      evidence: [],
    },
  ];
}
