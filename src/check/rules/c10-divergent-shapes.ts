import type { Entity, Field } from '#code/formats/shared/data-facts.ts';
import {
  type At,
  type ChangedData,
  changedData,
  conceptOf,
  type NewField,
  newFields,
  plainName,
} from './data/changed-data.ts';
import { areRelated, familyOf } from './data/field-types.ts';
import { goneFrom } from './data/gone.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Spot, Survey, SurveyedBranch } from './survey/survey.ts';

export const divergentShapes = {
  id: 'C10',
  name: 'divergent-shapes',
  category: 'schema',
  severity: 'blocking',
  languages: ['typescript', 'python', 'graphql', 'prisma'],
  precision: 0.85,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 18, real: 18 },
  what: 'Two branches describe one entity in different layers, and the descriptions do not fit: a field is a number here and a text there, or the one calls `name` what the other calls `display_name`. Models, GraphQL types, Zod and Pydantic, OpenAPI, dataclasses, DTOs.',
  example: { a: ['+ class User(Base): name = Column(Text)'], b: ['+ type User { display_name: String }'] },
  move: 'Agree on one name and one type.',
  proof: ['likely'],
  owner: 'either',
  detect: { survey: divergences },
} satisfies Rule;

/** An entity that a branch describes, with its new fields. */
interface Described {
  readonly entity: Entity;
  readonly news: readonly Field[];
  readonly side: SurveyedBranch;
  readonly file: string;
}

async function divergences(survey: Survey): Promise<Sighting[]> {
  const all = [...(await changedData(survey)).values()].flat();
  const byConcept = Map.groupBy(all.flatMap(described), ({ entity }) => conceptOf(entity.name));
  const found: Sighting[] = [];
  for (const [concept, group] of byConcept)
    for (const [index, second] of group.entries())
      for (const first of group.slice(0, index)) {
        if (!survey.isApart(first.side, second.side) || !areOneEntity(first, second)) continue;
        const types = differentTypes(first, second);
        const names = types.length > 0 ? [] : await differentNames(survey, all, first, second);
        if (types.length + names.length > 0) found.push(sighting(concept, first, second, types, names));
      }
  return found;
}

function described(changed: ChangedData): Described[] {
  const news = Map.groupBy(newFields(changed), ({ entity }: At<NewField>) => entity);
  return [...news].flatMap(([entity, fields]) =>
    entity.layer === 'message'
      ? []
      : [{ entity, news: fields.map(({ field }) => field), side: changed.side, file: changed.file }],
  );
}

/** Different layers or forms, and something in common besides the name, unless there are hardly any fields. */
function areOneEntity(a: Described, b: Described): boolean {
  if (a.side === b.side || a.file === b.file) return false;
  // Two plain types of one name may belong to different parts of a program.
  if (a.entity.form === b.entity.form || (isPlain(a) && isPlain(b))) return false;
  const names = new Set(a.entity.fields.map(({ name }) => plainName(name)));
  const shared = b.entity.fields.filter(({ name }) => names.has(plainName(name)));
  return shared.length > 0 || Math.min(names.size, b.entity.fields.length) <= 2;
}

function isPlain({ entity }: Described): boolean {
  return /^(?:TypeScript|class|dataclass|TypedDict)$/.test(entity.form);
}

type FieldPair = readonly [first: Field, second: Field];

function differentTypes(a: Described, b: Described): FieldPair[] {
  return a.news.flatMap((field): FieldPair[] => {
    const other = b.news.find(({ name }) => plainName(name) === plainName(field.name));
    const [one, two] = [familyOf(field.type), familyOf(other?.type ?? null)];
    // GraphQL and JSON transport ids and times as text.
    const isCarried = /id$/i.test(field.name) || one === 'time' || two === 'time';
    return other && one && two && one !== two && !isCarried ? [[field, other]] : [];
  });
}

/** New names on both sides that the other side lacks and that mean the same thing. */
async function differentNames(
  survey: Survey,
  all: readonly ChangedData[],
  a: Described,
  b: Described,
): Promise<FieldPair[]> {
  if (a.entity.open || b.entity.open || a.entity.layer === b.entity.layer) return [];
  const lacks = ({ entity }: Described, name: string) =>
    !entity.fields.some((field) => plainName(field.name) === plainName(name));
  const pairs = a.news
    .filter(({ name }) => lacks(b, name))
    .flatMap((field): FieldPair[] => {
      const [other] = b.news.filter(({ name }) => lacks(a, name) && areRelated(field.name, name));
      const [one, two] = [familyOf(field.type), familyOf(other?.type ?? null)];
      return other && (one === null || two === null || one === two) ? [[field, other]] : [];
    });
  const left: FieldPair[] = [];
  for (const pair of pairs)
    if (!isRenamed(all, [a, b], pair) && !(await isComputed(survey, all, [a.side, b.side], pair)))
      left.push(pair);
  return left;
}

/** One side gave up the name that the other one adopts: C08 reports it, with all other places. */
function isRenamed(
  all: readonly ChangedData[],
  [a, b]: readonly [Described, Described],
  [first, second]: FieldPair,
): boolean {
  const gaveUp = ({ side, entity }: Described, name: string) =>
    goneFrom(all.filter((changed) => changed.side === side)).some(
      (gone) =>
        gone.name !== null &&
        plainName(gone.name) === plainName(name) &&
        conceptOf(gone.entity ?? gone.table ?? '') === conceptOf(entity.name),
    );
  return gaveUp(a, second.name) || gaveUp(b, first.name);
}

/** A resolver computes one from the other: `display_name: (user) => user.name`, `def resolve_display_name(self)`. */
async function isComputed(
  survey: Survey,
  all: readonly ChangedData[],
  sides: readonly SurveyedBranch[],
  [first, second]: FieldPair,
): Promise<boolean> {
  const made = new RegExp(
    `\\b(?:resolve_?)?(?:${first.name}|${second.name})\\b\\s*(?:\\(|[:=]\\s*(?:async\\s*)?(?:\\(|\\w+\\s*=>|lambda))`,
    'i',
  );
  for (const side of sides) {
    const declared = new Set(
      all.filter((each) => each.side === side && each.after.entities).map(({ file }) => file),
    );
    for (const { path } of side.changes) {
      if (declared.has(path)) continue;
      const text = (await survey.read(side.tree, path)) ?? '';
      const [call] = made.exec(text) ?? [];
      if (call !== undefined && !/[:=]\s*(?:Column|mapped_column|models|String|Field)\b/.test(call))
        return true;
    }
  }
  return false;
}

function sighting(
  concept: string,
  first: Described,
  second: Described,
  types: readonly FieldPair[],
  names: readonly FieldPair[],
): Sighting {
  const [[one, two] = [undefined, undefined]] = [...types, ...names];
  const say = ({ entity, side }: Described, field: Field | undefined) =>
    `${side.ref} has ${entity.form} ${entity.name}.${field?.name}${field?.type ? ` (${field.type})` : ''}`;
  const at = ({ side, file }: Described, field: Field | undefined): Spot => ({
    side,
    file,
    line: field?.line ?? 1,
    name: field?.name ?? '',
  });
  const more = [...types, ...names].slice(1).map(([, field]) => at(second, field));
  return {
    key: `entity:${concept}`,
    provider: at(first, one),
    sites: [at(second, two), ...more],
    subject: [one?.name ?? '', two?.name ?? ''].filter((name) => name !== ''),
    confidence: 'likely',
    ...(names.length > 0 ? { tags: ['naming' as const] } : {}),
    message: `${say(first, one)}, ${say(second, two)}: ${types.length > 0 ? 'the types do not fit' : 'two names for one field'}`,
    suggestion: types.length > 0 ? 'agree on one type' : `agree on one name, ${one?.name} or ${two?.name}`,
  };
}
