import type { CodeModel } from '#contract/shapes.ts';
import type { Contract } from '#schema/contract.ts';
import { type Judged, type Part, singular, worst } from './judged.ts';
import { allFields, type Entity, fieldNamed, nameInCode, shapesFor } from './lookup.ts';
import { relationshipName } from './relationships.ts';

/** Whether a core query can be followed step by step over valid relationships. */
export function judgeQuery(
  model: CodeModel,
  contract: Contract,
  relations: ReadonlyMap<string, Judged>,
  entities: ReadonlyMap<string, Judged>,
  query: Contract['coreQueries'][number],
): Judged {
  const words = query.traversal
    .split(/→|->|=>|›|\.|\//)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const parts: Part[] = [];
  const [first = ''] = words;
  let at = entityCalled(contract, first);
  if (!at)
    parts.push({ status: 'missing', detail: `${first} is not an entity of the contract`, evidence: [] });
  else parts.push(partOf(entities.get(at.name), at.name));
  for (const word of words.slice(1)) {
    if (!at) break;
    const step: Step = follow(model, contract, relations, entities, at, word);
    parts.push(step.part);
    at = step.to;
  }
  const status = worst(parts.map((part) => part.status));
  const bad = parts.filter((part) => part.status !== 'satisfied');
  return {
    kind: 'query',
    name: query.description,
    task: null,
    status,
    detail:
      bad.length === 0 ? `${words.join(' → ')} can be followed` : bad.map(({ detail }) => detail).join('; '),
    evidence: parts.flatMap(({ evidence }) => evidence.slice(0, 2)),
  };
}

interface Step {
  readonly to: Entity | undefined;
  readonly part: Part;
}

function follow(
  model: CodeModel,
  contract: Contract,
  relations: ReadonlyMap<string, Judged>,
  entities: ReadonlyMap<string, Judged>,
  from: Entity,
  word: string,
): Step {
  const touching = contract.relationships.filter((each) => each.from === from.name || each.to === from.name);
  const relation = touching.find((each) => {
    const other = contract.entities.find(
      ({ name }) => name === (each.from === from.name ? each.to : each.from),
    );
    return (
      each.via === word ||
      each.via.split('.').at(-1) === word ||
      (other !== undefined && isCalled(other, word))
    );
  });
  if (relation) {
    const other = contract.entities.find(
      ({ name }) => name === (relation.from === from.name ? relation.to : relation.from),
    );
    const carried = partOf(relations.get(relationshipName(relation)), relationshipName(relation));
    const end = partOf(entities.get(other?.name ?? ''), other?.name ?? '');
    return {
      to: other,
      part: {
        status: worst([carried.status, end.status]),
        detail: [carried, end]
          .filter(({ status }) => status !== 'satisfied')
          .map(({ detail }) => detail)
          .join('; '),
        evidence: carried.evidence,
      },
    };
  }
  const other = entityCalled(contract, word);
  if (other && other.name !== from.name)
    return {
      to: other,
      part: {
        status: 'missing',
        detail: `no relationship leads from ${from.name} to ${other.name}`,
        evidence: [],
      },
    };
  for (const shape of shapesFor(model, from)) {
    const field = fieldNamed(allFields(model, shape).fields, word);
    if (!field) continue;
    const target = contract.entities.find(
      ({ name, table }) => field.target !== null && [name, table].includes(field.target.name),
    );
    return {
      to: target ?? from,
      part: {
        status: 'satisfied',
        detail: '',
        evidence: [{ file: field.file, line: field.line, what: `${shape.name}.${field.name}` }],
      },
    };
  }
  return { to: undefined, part: { status: 'missing', detail: `${from.name} has no ${word}`, evidence: [] } };
}

function partOf(judged: Judged | undefined, name: string): Part {
  if (!judged) return { status: 'missing', detail: `${name} is not in the contract`, evidence: [] };
  return { status: judged.status, detail: `${judged.name}: ${judged.detail}`, evidence: judged.evidence };
}

function entityCalled({ entities }: Contract, word: string): Entity | undefined {
  return (
    entities.find(({ name, table }) => name === word || table === word) ??
    entities.find((each) => isCalled(each, word))
  );
}

function isCalled(entity: Entity, word: string): boolean {
  const { table } = entity;
  return (
    singular(nameInCode(entity)) === singular(word) ||
    (table !== undefined && singular(table) === singular(word))
  );
}
