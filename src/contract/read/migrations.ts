import type { Field, MigrationStep, Shape } from '#contract/shapes.ts';
import { lineAt, partsOf, within } from './balanced.ts';

/** What an Alembic script does to tables on upgrade. */
export function readAlembic(file: string, source: string): MigrationStep[] {
  const down = source.search(/^def\s+downgrade\b/m);
  const text = down < 0 ? source : source.slice(0, down);
  const steps: MigrationStep[] = [];
  for (const found of text.matchAll(
    /\bop\.(create_table|add_column|drop_column|drop_table|rename_table)\(/g,
  )) {
    const at = found.index + found[0].length - 1;
    const line = lineAt(text, found.index);
    const [first, ...rest] = partsOf(within(text, at) ?? '', lineAt(text, at));
    const table = quoted(first?.text);
    if (table === null) continue;
    const fields = rest.flatMap(({ text: part, line: own }) => column(file, part, own));
    const place = { table, file, line };
    const second = quoted(rest[0]?.text);
    if (found[1] === 'create_table') steps.push({ ...place, does: 'create', fields });
    if (found[1] === 'add_column') steps.push({ ...place, does: 'add', fields });
    if (found[1] === 'drop_table') steps.push({ ...place, does: 'drop-table' });
    if (found[1] === 'drop_column' && second !== null) steps.push({ ...place, does: 'drop', name: second });
    if (found[1] === 'rename_table' && second !== null)
      steps.push({ ...place, does: 'rename-table', to: second });
  }
  return steps;
}

function column(file: string, text: string, line: number): Field[] {
  const name = /^(?:\w+\.)?Column\(\s*['"](\w+)['"]/.exec(text)?.[1];
  if (name === undefined) return [];
  const target = /ForeignKey\(\s*['"](?:\w+\.)*?(\w+)\.\w+['"]/.exec(text)?.[1];
  const type = /^(?:\w+\.)?Column\(\s*['"]\w+['"]\s*,\s*([\w.]+(?:\([^)]*\))?)/.exec(text)?.[1] ?? null;
  return [
    {
      name,
      aliases: [],
      type,
      target: target === undefined ? null : { kind: 'table', name: target },
      file,
      line,
    },
  ];
}

function quoted(text: string | undefined): string | null {
  return /^['"]([^'"]+)['"]/.exec(text ?? '')?.[1] ?? null;
}

/** The tables after the scripts have run in this order. */
export function applyMigrations(steps: readonly MigrationStep[]): Shape[] {
  const tables = new Map<string, Shape>();
  for (const step of steps) {
    const key = step.table.toLowerCase();
    const known = tables.get(key);
    if (step.does === 'create') {
      if (!known) tables.set(key, tableOf(step.table, step, step.fields, null));
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

function changed(
  fields: readonly Field[],
  step: Extract<MigrationStep, { does: 'add' | 'drop' | 'rename' }>,
): Field[] {
  const is = (name: string) => (field: Field) => field.name.toLowerCase() === name.toLowerCase();
  switch (step.does) {
    case 'add':
      return [
        ...fields.map((field) => {
          const again = step.fields.find(is(field.name));
          return again?.target ? { ...field, target: again.target } : field;
        }),
        ...step.fields.filter(({ name }) => !fields.some(is(name))),
      ];
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
