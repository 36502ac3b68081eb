import type { Entity, Step } from '#code/formats/shared/data-facts.ts';
import { type At, type ChangedData, newSteps, plainName } from './changed-data.ts';

/** A field that a branch removes: a column, a field of a model, of a GraphQL type, of a schema. */
export interface Gone {
  /** `column:users.name`, `field:User.name`. */
  readonly key: string;
  /** Null where no table is known. */
  readonly table: string | null;
  /** Null where only the table is known. */
  readonly entity: string | null;
  /** Null when the whole table is removed. */
  readonly name: string | null;
  /** The new name, if it was renamed. */
  readonly to: string | null;
  /** Read by a dedicated parser: nothing about it is a guess. */
  readonly isParsed: boolean;
  readonly isMigration: boolean;
  /** The form of its declaration: `SQLAlchemy`, `OpenAPI`. */
  readonly form: string;
  readonly line: number;
}

/** Cache: several rules ask about the same branch. */
const known = new WeakMap<readonly ChangedData[], readonly At<Gone>[]>();

/** Everything that a branch removes, migrations first. */
export function goneFrom(own: readonly ChangedData[]): readonly At<Gone>[] {
  const gone = known.get(own) ?? readGone(own);
  known.set(own, gone);
  return gone;
}

function readGone(own: readonly ChangedData[]): At<Gone>[] {
  const kept = columnsAdded(own);
  const declared = Map.groupBy(
    own.flatMap(({ after }) => after.entities ?? []),
    identityOf,
  );
  const gone = [...own.flatMap(byMigration), ...own.flatMap((changed) => byDeclaration(changed, declared))];
  const made = tablesMade(own);
  return gone.filter(({ key, table, name }) => !kept.has(key) && !(name === null && made.has(table ?? '')));
}

/** Tables that the branch drops and creates again under the same name: they are not gone. */
function tablesMade(own: readonly ChangedData[]): Set<string> {
  return new Set(
    own
      .flatMap(newSteps)
      .flatMap(({ op, table, to }) =>
        op === 'create table' ? [table] : op === 'rename table' && to !== undefined ? [to] : [],
      ),
  );
}

/** Columns that the same branch adds again. */
function columnsAdded(own: readonly ChangedData[]): Set<string> {
  const steps = own.flatMap(newSteps);
  const last = new Map<string, Step['op']>();
  for (const { op, table, name } of steps) if (name !== undefined) last.set(`column:${table}.${name}`, op);
  return new Set([...last].flatMap(([key, op]) => (op === 'add column' ? [key] : [])));
}

function byMigration(changed: ChangedData): At<Gone>[] {
  const made = new Set<string>();
  return newSteps(changed).flatMap((step): At<Gone>[] => {
    const { op, table, name = null, to = null, line, side, file } = step;
    if (op === 'create table') made.add(table);
    const isSql = /\.sql$/i.test(file);
    const common = {
      table,
      entity: null,
      isParsed: isSql,
      isMigration: true,
      form: 'migration',
      line,
      side,
      file,
    };
    // A table that is created and dropped in one file never existed for others.
    if (made.has(table)) return [];
    if (op === 'drop column' || op === 'rename column')
      return [{ ...common, key: `column:${table}.${name}`, name, to }];
    if (op === 'drop table' || op === 'rename table')
      return [{ ...common, key: `table:${table}`, name: null, to }];
    return [];
  });
}

/** `table users`, `model User`. */
function identityOf({ layer, name }: Entity): string {
  return `${layer} ${name}`;
}

/** Fields that a declaration had and no longer has in any file of the branch. */
function byDeclaration(
  { side, file, before, after }: ChangedData,
  declared: ReadonlyMap<string, readonly Entity[]>,
): At<Gone>[] {
  return (before.entities ?? []).flatMap((old) => {
    const now = declared.get(identityOf(old)) ?? [];
    if (now.length === 0 || after.problem) return [];
    const left = new Set(now.flatMap(({ fields }) => fields.map(({ name }) => name)));
    const lost = old.fields.filter(({ name }) => !left.has(name));
    const fresh = now.flatMap(({ fields }) =>
      fields.filter(({ name }) => !old.fields.some((each) => each.name === name)),
    );
    return lost.map((field): At<Gone> => {
      const column = field.column ?? field.name;
      const alike = fresh.filter(({ type }) => type === field.type);
      return {
        key: old.table === undefined ? `field:${old.name}.${field.name}` : `column:${old.table}.${column}`,
        table: old.table ?? null,
        entity: old.layer === 'table' ? null : old.name,
        name: field.name,
        to: lost.length === 1 && alike.length === 1 ? (alike[0]?.name ?? null) : null,
        isParsed: old.form === 'SQL' || old.form === 'Prisma',
        isMigration: false,
        form: old.form,
        line: field.line,
        side,
        file,
      };
    });
  });
}

/** Whether a branch declares the field again: then its uses are its own concern. */
export function declares(own: readonly ChangedData[], { table, name, entity }: Gone): boolean {
  if (name === null)
    return own.flatMap(newSteps).some((step) => step.op === 'create table' && step.table === table);
  const plain = plainName(name);
  return own.some(
    (changed) =>
      newSteps(changed).some(
        (step) =>
          step.table === table &&
          ((step.op === 'add column' && step.name === name) ||
            (step.op === 'rename column' && step.to === name) ||
            (step.op === 'create table' && step.columns?.some((column) => column.name === name))),
      ) ||
      (entity !== null &&
        (changed.after.entities ?? []).some(
          (each) =>
            each.name === entity &&
            each.fields.some((field) => plainName(field.name) === plain) &&
            !changed.before.entities?.some(
              (old) => old.name === entity && old.fields.some((field) => plainName(field.name) === plain),
            ),
        )),
  );
}
