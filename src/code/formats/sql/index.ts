import type { DataFacts, Entity, FieldUse, Step } from '#code/formats/shared/data-facts.ts';
import { lineFinder } from '#code/formats/shared/lines.ts';
import { isMigrationPath } from '#code/formats/shared/migration-path.ts';
import { byteOffsets, openSqlParser, type Statement } from './parse-sql.ts';
import { forwardSql, isTemplate, leadsBack, looksLikeSql, withPlaceholders } from './sql-text.ts';
import { type PlacedStep, stepsOf } from './steps.ts';

/** Migrations, schemas and queries in SQL, as PostgreSQL reads it. */
export async function readSql(path: string, text: string): Promise<DataFacts | null> {
  if (leadsBack(path)) return null;
  if (isTemplate(text)) return { problem: { line: 1, message: 'a template, not plain SQL' } };
  const forward = forwardSql(text);
  const parse = await openSqlParser();
  const { statements, problem } = parse(forward);
  const lineOf = lineFinder(forward);
  if (problem) return { problem: { line: lineOf(problem.offset), message: problem.message } };
  const units = byteOffsets(forward);
  const steps = statements.flatMap((statement) =>
    stepsOf(statement).map((step) => placed(step, statement, units, lineOf, forward)),
  );
  const isMigration = isMigrationPath(path);
  return {
    steps: isMigration ? steps : steps.filter(({ op }) => op !== 'use' && op !== 'create table'),
    entities: isMigration ? [] : steps.flatMap(tableOf),
    uses: isMigration ? [] : steps.flatMap((step) => useOf(step, 'SQL')),
  };
}

/** Columns that SQL in a string of code names; nothing when it is no SQL that PostgreSQL reads. */
export async function readSqlString(text: string, firstLine: number): Promise<FieldUse[]> {
  if (!looksLikeSql.test(text)) return [];
  const parse = await openSqlParser();
  const plain = withPlaceholders(text);
  const { statements } = parse(plain);
  const lineOf = lineFinder(plain);
  const units = byteOffsets(plain);
  return (statements ?? []).flatMap((statement) =>
    stepsOf(statement)
      .map((step) => placed(step, statement, units, lineOf, plain))
      .flatMap((step) => useOf({ ...step, line: step.line + firstLine - 1 }, 'SQL in a string')),
  );
}

function placed(
  { offset, columns, ...step }: PlacedStep,
  { start }: Statement,
  units: (bytes: number) => number,
  lineOf: (offset: number) => number,
  text: string,
): Step {
  const at = (bytes: number) =>
    lineOf(bytes < 0 ? start + (/\S/.exec(text.slice(start))?.index ?? 0) : units(bytes));
  return {
    ...step,
    line: at(offset),
    ...(columns
      ? { columns: columns.map(({ offset: column, ...field }) => ({ ...field, line: at(column) })) }
      : {}),
  };
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
