import type { Contract } from '#schema/contract.ts';
import { judgeEntity } from './judge/entities.ts';
import { allFields } from './judge/lookup.ts';
import { judgeRelationship } from './judge/relationships.ts';
import type { Callable, CodeModel, Field, Shape } from './shapes.ts';

/** An item that was not frozen, because today's code contradicts itself there. */
export interface LeftOut {
  readonly name: string;
  readonly file: string | null;
  readonly reason: string;
}

/** Today's types, tables and functions as a contract: everything exists, so no task creates it, and the code fulfils all of it. */
export function draftContract(
  model: CodeModel,
  from: string,
): { readonly contract: Contract; readonly leftOut: readonly LeftOut[] } {
  return keptToday(model, contractOf(model, from));
}

/** Everything the code offers, also where it contradicts itself. */
export function contractOf(model: CodeModel, from: string): Contract {
  const named = nameAll(model);
  return {
    schema: 'joinery/contract@1',
    coreQuestion: `What does ${from} consist of?`,
    entities: [...named].map(([thing, name]) => entityOf(model, thing, name)),
    relationships: relationshipsOf(model, named),
    coreQueries: [],
  };
}

function keptToday(model: CodeModel, contract: Contract): ReturnType<typeof draftContract> {
  const judged = contract.entities.map((entity) => judgeEntity(model, entity));
  const isKept = (at: number) => judged[at]?.status === 'satisfied';
  const entities = contract.entities.filter((_, at) => isKept(at));
  const names = new Set(entities.map(({ name }) => name));
  const whole = { ...contract, entities };
  const relationships = contract.relationships.filter(
    (each) =>
      names.has(each.from) &&
      names.has(each.to) &&
      judgeRelationship(model, whole, each).status === 'satisfied',
  );
  const leftOut = contract.entities.flatMap(({ name, path }, at) =>
    isKept(at) ? [] : [{ name, file: path ?? null, reason: judged[at]?.detail ?? '' }],
  );
  return { contract: { ...whole, relationships }, leftOut };
}

type Thing = Shape | Callable;

/** Exported items by name; a name that is used twice gets its file as a prefix. */
function nameAll({ shapes, callables, files }: CodeModel): Map<Thing, string> {
  const models = new Set(
    shapes.flatMap(({ kind, table }) => (kind === 'model' && table !== null ? [table] : [])),
  );
  const things: Thing[] = [
    // A model defines its table completely; migrations count only for tables without a model.
    ...shapes.filter(({ kind, table, isExported, fields }) =>
      kind === 'migration' ? !models.has(table ?? '') : isExported && (kind === 'model' || fields.length > 0),
    ),
    // Nobody calls `upgrade` of a migration.
    ...callables.filter(({ isExported, file }) => isExported && files.get(file)?.steps.length === 0),
  ];
  const counts = new Map<string, number>();
  for (const { name } of things) counts.set(name, (counts.get(name) ?? 0) + 1);
  const used = new Set<string>();
  const named = new Map<Thing, string>();
  for (const thing of things.toSorted((a, b) => compare(a.file, b.file) || a.line - b.line)) {
    const name = counts.get(thing.name) === 1 ? thing.name : `${thing.file}#${thing.name}`;
    // For overloads and conditional definitions the first one counts.
    if (used.has(name)) continue;
    used.add(name);
    named.set(thing, name);
  }
  return named;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function entityOf(model: CodeModel, thing: Thing, name: string): Contract['entities'][number] {
  const created = { name, path: thing.file, createdByTask: null };
  if ('parameters' in thing)
    return { ...created, type: 'function', function: signatureOf(thing), keyFields: [] };
  const isTyped = isOnlySource(model, thing);
  const keyFields = ownFields(model, thing).map((field) => {
    const called = thing.kind === 'type' ? field.name : (field.aliases[0] ?? field.name);
    return isTyped && field.type !== null && field.type.length <= 80
      ? `${called}: ${field.type.replace(/\s+/g, ' ')}`
      : called;
  });
  return thing.table === null
    ? { ...created, type: 'type', keyFields }
    : { ...created, type: 'database', table: thing.table, keyFields };
}

/** Two models of one table spell their types differently, and so do migrations. */
function isOnlySource({ shapes }: CodeModel, { kind, table }: Shape): boolean {
  if (kind !== 'model') return kind === 'type';
  return shapes.filter((each) => each.kind === 'model' && each.table === table).length === 1;
}

/** Each field once, as the nearest class defines it. For a table only its columns: Prisma's `user User` and
 *  SQLAlchemy's `user = relationship("User")` are none. */
function ownFields(model: CodeModel, shape: Shape): Field[] {
  const { fields } = allFields(model, shape);
  const isModel = (name: string) => model.shapes.some((each) => each.kind === 'model' && each.name === name);
  const isRelation = ({ type, target, aliases }: Field) =>
    shape.kind === 'model' &&
    target?.kind === 'type' &&
    aliases.length === 0 &&
    (type === null || type.split(/\W+/).includes(target.name)) &&
    isModel(target.name);
  return fields.filter(
    (field, at) => fields.findIndex(({ name }) => name === field.name) === at && !isRelation(field),
  );
}

/** `login(email: string, remember?: boolean): Session` */
function signatureOf({ name, parameters, returns }: Callable): string {
  const list = parameters.map((each) => {
    const optional = each.isRequired || each.name.startsWith('...') ? '' : '?';
    return `${each.name || '_'}${optional}${each.type === null ? '' : `: ${each.type}`}`;
  });
  return `${name}(${list.join(', ')})${returns === null ? '' : `: ${returns}`}`;
}

function relationshipsOf(model: CodeModel, named: ReadonlyMap<Thing, string>): Contract['relationships'] {
  const byTarget = new Map<string, string>();
  for (const [thing, name] of named) {
    if ('parameters' in thing) continue;
    if (thing.table !== null) byTarget.set(`table ${thing.table}`, name);
    byTarget.set(`type ${thing.name}`, name);
  }
  const relations = [...named].flatMap(([thing, from]) =>
    'parameters' in thing
      ? []
      : allFields(model, thing).fields.flatMap((field): Contract['relationships'] => {
          const to = field.target && byTarget.get(`${field.target.kind} ${field.target.name}`);
          if (!to || to === from) return [];
          return [
            {
              from,
              to,
              type: isMany(field) ? 'has_many' : 'belongs_to',
              via: `${thing.table ?? thing.name}.${field.aliases[0] ?? field.name}`,
              createdByTask: null,
            },
          ];
        }),
  );
  const keys = relations.map(({ from, to, type }) => `${from} ${type} ${to}`);
  return relations.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

function isMany({ type }: Field): boolean {
  return /\[\]|\b(?:list|List|Sequence|Set|set|Array|ReadonlyArray|Iterable|Collection)\b/.test(type ?? '');
}
