import type { DataFacts, Entity, FieldUse, Relation, Step } from '#code/formats/shared/data-facts.ts';
import { isMigrationPath } from '#code/formats/shared/migration-path.ts';
import { readStatements } from './read-statements.ts';
import { forwardSql, isTemplate, leadsBack, looksLikeSql, withPlaceholders } from './sql-text.ts';

/** Migrations, schemas and queries in SQL: PostgreSQL, else MySQL or SQLite. */
export async function readSql(path: string, text: string): Promise<DataFacts | null> {
  if (leadsBack(path)) return null;
  if (isTemplate(text))
    return { problem: { line: 1, message: 'a template, not plain SQL', isHarmless: true } };
  const { steps: read, problem } = await readStatements(forwardSql(text));
  if (problem) return { problem };
  const isMigration = isMigrationPath(path);
  const relations = read.flatMap(relationsOf);
  const steps = read.map(({ refers: _, ...step }) => step);
  return {
    ...(relations.length === 0 ? {} : { relations }),
    steps: isMigration ? steps : steps.filter(({ op }) => op !== 'use' && op !== 'create table'),
    entities: isMigration ? [] : steps.flatMap(tableOf),
    uses: isMigration ? [] : steps.flatMap((step) => useOf(step, 'SQL')),
  };
}

/** Columns that SQL inside a string names; empty when it is not parsable SQL. */
export async function readSqlString(text: string, firstLine: number): Promise<FieldUse[]> {
  if (!looksLikeSql.test(text)) return [];
  const { steps } = await readStatements(withPlaceholders(text));
  return (steps ?? []).flatMap((step) =>
    useOf({ ...step, line: step.line + firstLine - 1 }, 'SQL in a string'),
  );
}

function relationsOf({ table, refers = [], line }: Step): Relation[] {
  return refers.map(({ column, table: to }) => ({ of: table, field: column, kind: 'table', to, line }));
}

function tableOf({ op, table, columns, line }: Step): Entity[] {
  return op === 'create table' && columns
    ? [{ layer: 'table', form: 'SQL', name: table, table, line, fields: columns }]
    : [];
}

function useOf({ op, table, name, line }: Step, via: string): FieldUse[] {
  if (op !== 'use' || name === undefined) return [];
  return [
    { kind: 'table', of: table, name, via, line, ...(via === 'SQL' ? { certain: true as const } : {}) },
  ];
}
