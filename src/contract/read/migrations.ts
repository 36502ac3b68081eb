import type { Field, MigrationStep, Shape } from '#contract/shapes.ts';

/** The tables after the scripts have run in this order. */
export function applyMigrations(steps: readonly MigrationStep[]): Shape[] {
  const tables = new Map<string, Shape>();
  for (const step of steps) {
    const key = step.table.toLowerCase();
    const known = tables.get(key);
    if (step.does === 'create') {
      // A file that sorts before the one that creates the table has changed it already.
      const early = known?.openBecause == null ? [] : known.fields;
      const created = tableOf(step.table, step, step.fields, null);
      if (!known || known.openBecause !== null)
        tables.set(key, { ...created, fields: merged(created.fields, early) });
      continue;
    }
    if (step.does === 'drop-table') {
      tables.delete(key);
      continue;
    }
    // No script creates this table: its other columns are unknown.
    const table = known ?? tableOf(step.table, step, [], 'no migration creates it');
    if (step.does === 'rename-table') {
      tables.delete(key);
      tables.set(step.to.toLowerCase(), { ...table, name: step.to, table: step.to });
      continue;
    }
    tables.set(key, { ...table, fields: changed(table.fields, step) });
  }
  return [...tables.values()];
}

/** The fields, with the added ones; a key is added to a field that is there. */
function merged(fields: readonly Field[], added: readonly Field[]): Field[] {
  const is = (name: string) => (field: Field) => field.name.toLowerCase() === name.toLowerCase();
  return [
    ...fields.map((field) => {
      const again = added.find(is(field.name));
      return again?.target ? { ...field, target: again.target } : field;
    }),
    ...added.filter(({ name }) => !fields.some(is(name))),
  ];
}

function changed(
  fields: readonly Field[],
  step: Extract<MigrationStep, { does: 'add' | 'drop' | 'rename' }>,
): Field[] {
  const is = (name: string) => (field: Field) => field.name.toLowerCase() === name.toLowerCase();
  switch (step.does) {
    case 'add':
      return merged(fields, step.fields);
    case 'drop':
      return fields.filter((field) => !is(step.name)(field));
    case 'rename':
      return fields.map((field) =>
        is(step.name)(field) ? { ...field, name: step.to, file: step.file, line: step.line } : field,
      );
  }
}

function tableOf(
  name: string,
  { file, line }: { readonly file: string; readonly line: number },
  fields: readonly Field[],
  openBecause: string | null,
): Shape {
  return {
    name,
    kind: 'migration',
    table: name,
    fields,
    bases: [],
    openBecause,
    isExported: true,
    file,
    line,
  };
}
