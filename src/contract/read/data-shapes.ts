import type {
  DataFacts,
  Field as DataField,
  Entity,
  Relation,
  Step,
} from '#code/formats/shared/data-facts.ts';
import type { Field, MigrationStep, Shape } from '#contract/shapes.ts';

/** What a file does to tables, in order, as `joinery check` reads it: migrations, and schemas that are created at once. */
export function stepsIn(
  file: string,
  { entities = [], steps = [], relations = [] }: DataFacts,
): MigrationStep[] {
  const created = entities
    .filter(({ layer }) => layer === 'table')
    .map(({ name, line, fields }): MigrationStep => {
      return { does: 'create', table: ownName(name), file, line, fields: fieldsOf(file, fields) };
    });
  const linked = relations
    .filter(({ kind }) => kind === 'table')
    .map((relation): MigrationStep => {
      const { of, field: name, to, line } = relation;
      const target = { kind: 'table', name: ownName(to) } as const;
      const field = { name, aliases: [], type: null, target, file, line };
      return { does: 'add', table: ownName(of), file, line, fields: [field] };
    });
  const own = steps.flatMap((step) => stepOf(file, step));
  // A table is dropped before it is created again, and exists before a key is added to it.
  return [...own, ...created, ...linked].sort((a, b) => a.line - b.line);
}

function stepOf(
  file: string,
  { op, table: written, name, to, type = null, columns = [], line }: Step,
): MigrationStep[] {
  const place = { table: ownName(written), file, line };
  switch (op) {
    case 'create table':
      return [{ ...place, does: 'create', fields: fieldsOf(file, columns) }];
    case 'drop table':
      return [{ ...place, does: 'drop-table' }];
    case 'rename table':
      return to === undefined ? [] : [{ ...place, does: 'rename-table', to: ownName(to) }];
    case 'add column':
      return name === undefined
        ? []
        : [{ ...place, does: 'add', fields: fieldsOf(file, [{ name, type, required: false, line }]) }];
    case 'drop column':
      return name === undefined ? [] : [{ ...place, does: 'drop', name }];
    case 'rename column':
      return name === undefined || to === undefined ? [] : [{ ...place, does: 'rename', name, to }];
    default:
      return [];
  }
}

/** Models that no language of ours reads as types: Prisma's, and the tables of Drizzle. */
export function modelsIn(file: string, { entities = [], relations = [] }: DataFacts): Shape[] {
  return entities
    .filter(({ form }) => form === 'Prisma' || form === 'Drizzle')
    .map((entity) => modelOf(file, entity, { entities, relations }));
}

function modelOf(
  file: string,
  { name, form, table, line, fields, open }: Entity,
  { entities, relations }: { readonly entities: readonly Entity[]; readonly relations: readonly Relation[] },
): Shape {
  const own = relations.filter(({ of }) => of === name);
  const targetOf = (field: string): Field['target'] => {
    const leads = own.find((relation) => relation.field === field);
    if (!leads) return null;
    if (form === 'Prisma') return { kind: 'type', name: leads.to };
    // A table that another file declares is known by its variable alone.
    const known = entities.find((entity) => entity.name === leads.to);
    return { kind: 'table', name: known?.table ?? leads.to };
  };
  const columns = fieldsOf(file, fields).map((field) => ({ ...field, target: targetOf(field.name) }));
  const others = own
    .filter(({ written, field }) => written !== undefined && !columns.some((each) => each.name === field))
    .map(({ field, written = null, line: at }): Field => {
      return { name: field, aliases: [], type: written, target: targetOf(field), file, line: at };
    });
  return {
    name,
    kind: 'model',
    table: table ?? name,
    fields: [...columns, ...others],
    bases: [],
    openBecause: open ? 'its fields are not all written out' : null,
    isExported: true,
    file,
    line,
  };
}

function fieldsOf(file: string, fields: readonly DataField[]): Field[] {
  return fields.map(({ name, column, type, written, line }) => ({
    name,
    aliases: column === undefined ? keyOf(name, type) : [column],
    type: written ?? type,
    target: null,
    file,
    line,
  }));
}

/** Django stores a key `team` in the column `team_id`. */
function keyOf(name: string, type: string | null): string[] {
  return /^(?:foreignkey|onetoone)$/.test(type ?? '') ? [`${name}_id`] : [];
}

/** Contracts name tables without their schema: `shop.orders` is orders. */
function ownName(table: string): string {
  return table.split('.').at(-1) ?? table;
}
