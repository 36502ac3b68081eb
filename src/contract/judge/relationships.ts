import type { CodeModel, Field, Shape } from '#contract/shapes.ts';
import type { Contract } from '#schema/contract.ts';
import { type Judged, type Part, singular } from './judged.ts';
import { allFields, type Entity, fieldLike, fieldNamed, nameInCode, shapesFor } from './lookup.ts';
import { statedName } from './signature.ts';

type Relationship = Contract['relationships'][number];

export function relationshipName({ from, to, type }: Pick<Relationship, 'from' | 'to' | 'type'>): string {
  return `${from} ${type} ${to}`;
}

/** Whether the field or table of a relationship exists and points where the contract says. */
export function judgeRelationship(model: CodeModel, contract: Contract, relation: Relationship): Judged {
  return {
    kind: 'relationship',
    name: relationshipName(relation),
    task: relation.createdByTask,
    ...judge(model, contract, relation),
  };
}

function judge(model: CodeModel, contract: Contract, { from, to, type, via }: Relationship): Part {
  const ends = [from, to].map((name) => contract.entities.find((each) => each.name === name));
  const [source, target] = ends;
  if (!source || !target)
    return { status: 'missing', detail: 'one of its ends is not an entity', evidence: [] };
  const [owner, field] = via.includes('.')
    ? [via.slice(0, via.lastIndexOf('.')), via.split('.').at(-1) ?? via]
    : [null, via];
  const sides: readonly (readonly [Entity, Entity])[] = [
    [source, target],
    [target, source],
  ];
  if (owner === null && type === 'many_to_many') {
    const joined = judgeJoinTable(model, via, source, target);
    if (joined) return joined;
  }
  const judged = sides
    .filter(([holder]) => owner === null || isCalled(holder, owner))
    .flatMap(([holder, other]) =>
      agreed(holdersOf(model, holder).flatMap((each) => carried(model, each, field, holder, other))),
    );
  const [best] = judged.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  if (best) return best;
  if (owner !== null && type === 'many_to_many') {
    const joined = judgeJoinTable(model, owner, source, target);
    if (joined) return joined;
  }
  const holders = sides.flatMap(([holder]) => holdersOf(model, holder));
  const open = holders
    .map((shape) => (shape === null ? null : allFields(model, shape).open))
    .find((why) => why !== null);
  return open === undefined || open === null
    ? { status: 'missing', detail: `nothing has ${via}`, evidence: [] }
    : { status: 'undecided', detail: `whether there is ${via} is not known: ${open}`, evidence: [] };
}

const order = ['satisfied', 'contradicted', 'partial', 'undecided', 'missing'];

/** A model and a migration must not disagree: one that leads elsewhere outweighs one that leads there. */
function agreed(parts: readonly Part[]): readonly Part[] {
  const contradicted = parts.filter(({ status }) => status === 'contradicted');
  return contradicted.length > 0 ? contradicted : parts;
}

function isCalled(entity: Entity, called: string): boolean {
  const { table } = entity;
  const name = nameInCode(entity);
  return name === called || table === called || singular(name) === singular(called);
}

/** What can contain the field of an entity: its shapes, or the parameters of its function. */
function holdersOf(model: CodeModel, entity: Entity): Shape[] {
  if (entity.type !== 'function') return shapesFor(model, entity);
  const { name } = statedName(entity.function ?? entity.name);
  return model.callables
    .filter((each) => each.name === name && (entity.path === undefined || each.file === entity.path))
    .map((each) => ({
      name,
      kind: 'type',
      table: null,
      bases: [],
      openBecause: null,
      isExported: true,
      file: each.file,
      line: each.line,
      fields: [
        ...each.parameters.map((parameter) => ({ name: parameter.name, type: parameter.type })),
        { name: 'returns', type: each.returns },
      ].map((part) => {
        const named = /\b[A-Z]\w*/.exec(part.type ?? '')?.[0];
        const target = named === undefined ? null : ({ kind: 'type', name: named } as const);
        return { ...part, aliases: [], target, file: each.file, line: each.line };
      }),
    }));
}

function carried(model: CodeModel, shape: Shape, name: string, holder: Entity, other: Entity): Part[] {
  const { fields } = allFields(model, shape);
  const field = fieldNamed(fields, name);
  if (!field) {
    const like = fieldLike(fields, name);
    return like
      ? [
          {
            status: 'contradicted',
            detail: `${shape.name} has ${like.name} where ${name} was agreed`,
            evidence: [evidenceOf(shape, like)],
          },
        ]
      : [];
  }
  const evidence = [evidenceOf(shape, field)];
  const leads = leadsTo(model, field, other);
  if (leads === 'there')
    return [{ status: 'satisfied', detail: `${shape.name}.${field.name} leads to ${other.name}`, evidence }];
  if (leads === 'elsewhere')
    return [
      {
        status: 'contradicted',
        detail: `${shape.name}.${field.name} leads to ${field.target?.name}, not to ${other.name}`,
        evidence,
      },
    ];
  // A type has no foreign keys, so the name of the field decides.
  const byName = singular(field.name.replace(/_?ids?$/i, '')) === singular(nameInCode(other));
  return holder.type !== 'database' && byName
    ? [{ status: 'satisfied', detail: `${shape.name}.${field.name} names ${other.name}`, evidence }]
    : [
        {
          status: 'partial',
          detail: `${shape.name}.${field.name} is there, but nothing says that it leads to ${other.name}`,
          evidence,
        },
      ];
}

function leadsTo(model: CodeModel, { target, type }: Field, other: Entity): 'there' | 'elsewhere' | 'unsaid' {
  const names = new Set([
    nameInCode(other),
    other.table,
    ...shapesFor(model, other).flatMap(({ name, table }) => [name, table]),
  ]);
  const written = [...(type ?? '').matchAll(/\w+/g)].map(([word]) => word);
  if (written.some((word) => names.has(word))) return 'there';
  if (!target) return 'unsaid';
  if (names.has(target.name)) return 'there';
  const isKnown = model.shapes.some(({ name, table }) => name === target.name || table === target.name);
  return target.kind === 'table' || isKnown ? 'elsewhere' : 'unsaid';
}

/** A separate table with a column for each end. Null when there is no such table. */
function judgeJoinTable(model: CodeModel, table: string, source: Entity, target: Entity): Part | null {
  const joins = model.shapes.filter((shape) => shape.table === table || shape.name === table);
  const [join] = joins;
  if (!join) return null;
  const { fields } = allFields(model, join);
  const parts = [source, target].map((end) => ({
    end,
    field: fields.find((field) => leadsTo(model, field, end) === 'there'),
  }));
  const lacking = parts.filter(({ field }) => !field).map(({ end }) => end.name);
  return {
    status: lacking.length === 0 ? 'satisfied' : 'partial',
    detail:
      lacking.length === 0
        ? `${table} joins them`
        : `${table} has no column that leads to ${lacking.join(' or ')}`,
    evidence: [
      { file: join.file, line: join.line, what: table },
      ...parts.flatMap(({ field }) => (field ? [evidenceOf(join, field)] : [])),
    ],
  };
}

function evidenceOf({ name }: Shape, field: Field) {
  return { file: field.file, line: field.line, what: `${name}.${field.name}` };
}
