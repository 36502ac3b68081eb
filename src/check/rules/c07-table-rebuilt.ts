import type { Step } from '#code/formats/shared/data-facts.ts';
import { type At, type ChangedData, changedData, newSteps } from './data/changed-data.ts';
import { runsAfter } from './data/migration-order.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Survey } from './survey/survey.ts';

export const tableRebuilt = {
  id: 'C07',
  name: 'table-rebuilt',
  category: 'schema',
  severity: 'blocking',
  languages: ['sql'],
  precision: 0.9,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 18, real: 18 },
  what: 'One branch adds a column to a table, and a migration of another branch recreates the table without it: create, copy, drop, rename. After both the column is missing although the model has it.',
  example: {
    a: ['+ ALTER TABLE t ADD COLUMN nickname text'],
    b: ['+ CREATE TABLE t_new (…); DROP TABLE t; ALTER TABLE t_new RENAME TO t'],
  },
  move: 'Give the new table the column too.',
  proof: ['likely'],
  owner: 'consumer',
  detect: { survey: columnsLost },
} satisfies Rule;

async function columnsLost(survey: Survey): Promise<Sighting[]> {
  const data = await changedData(survey);
  const found: Sighting[] = [];
  for (const [side, own] of data)
    for (const rebuilt of own.flatMap(rebuiltTables))
      for (const [other, others] of data) {
        if (other === side || !survey.isApart(other, side)) continue;
        for (const step of others.flatMap(newSteps)) {
          if (
            step.op !== 'add column' ||
            step.table !== rebuilt.table ||
            rebuilt.columns.has(step.name ?? '')
          )
            continue;
          // A step that runs after the table was rebuilt finds the new one.
          if (runsAfter(step.file, rebuilt.at.file)) continue;
          const column = `${step.table}.${step.name}`;
          found.push({
            key: `column:${column}`,
            provider: { ...step, name: step.name ?? '' },
            sites: [{ ...rebuilt.at, name: step.name ?? '' }],
            subject: column,
            confidence: 'likely',
            message: `${other.ref} adds the column ${column}; ${side.ref} recreates the table ${step.table} without it`,
            suggestion: `add ${step.name} to the new table as well`,
          });
        }
      }
  return found;
}

interface Rebuilt {
  readonly table: string;
  readonly columns: ReadonlySet<string>;
  readonly at: At<Step>;
}

/** Tables that one file drops and creates again, under their own name or by renaming another. */
function rebuiltTables(changed: ChangedData): Rebuilt[] {
  const steps = newSteps(changed);
  const dropped = new Set(steps.flatMap(({ op, table }) => (op === 'drop table' ? [table] : [])));
  return steps.flatMap((step): Rebuilt[] => {
    if (step.op !== 'create table') return [];
    const renamed = steps.find(({ op, table }) => op === 'rename table' && table === step.table)?.to;
    const table = renamed ?? step.table;
    const columns = new Set((step.columns ?? []).map(({ name }) => name));
    return dropped.has(table) ? [{ table, columns, at: step }] : [];
  });
}
