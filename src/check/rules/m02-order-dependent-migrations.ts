import type { Step } from '#code/formats/shared/data-facts.ts';
import { absent } from '#code/link/absence.ts';
import { claimAbsence } from './claims/claim.ts';
import { type At, changedData, newSteps } from './data/changed-data.ts';
import { runsAfter } from './data/migration-order.ts';
import type { Claimed, Rule } from './rule.ts';
import type { Sighting, Survey, SurveyedBranch } from './survey/survey.ts';

export const orderDependentMigrations = {
  id: 'M02',
  name: 'order-dependent-migrations',
  category: 'schema',
  severity: 'blocking',
  languages: ['sql', 'python'],
  precision: 0.9,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 18, real: 18 },
  what: 'A migration of one branch drops or renames a column or a table, and a migration of another branch works with it under the old name. It is proven where the files say that it runs afterwards: then it fails on every database. The other way round it fails where the migrations were applied in the order of landing.',
  example: { a: ['+ 0042: ALTER TABLE t RENAME a TO b'], b: ['+ 0043: UPDATE t SET a = 1'] },
  move: 'Let the migration that runs later use the new name, and say which one comes first.',
  proof: ['proven', 'likely'],
  claims: 'absence',
  owner: 'consumer',
  detect: { survey: clashingMigrations },
} satisfies Rule;

const taking: readonly Step['op'][] = ['drop table', 'rename table', 'drop column', 'rename column'];

async function clashingMigrations(survey: Survey): Promise<Claimed<Sighting>[]> {
  const byTable = new Map<string, At<Step>[]>();
  for (const [, own] of await changedData(survey))
    for (const step of own.flatMap(newSteps))
      for (const table of new Set([step.table, ...(step.op === 'rename table' ? [step.to ?? ''] : [])]))
        if (table !== '') byTable.set(table, [...(byTable.get(table) ?? []), step]);
  const found: Claimed<Sighting>[] = [];
  for (const [table, steps] of byTable) {
    const sides = new Set(steps.map(({ side }) => side));
    if (sides.size < 2) continue;
    for (const taken of steps.filter(({ op, table: own }) => own === table && taking.includes(op)))
      for (const side of sides) {
        if (side === taken.side || isMadeAgain(taken, steps) || !survey.isApart(side, taken.side)) continue;
        const sighting = clashOf(taken, steps, side);
        if (sighting) found.push(sighting);
      }
  }
  return found;
}

function clashOf(
  taken: At<Step>,
  steps: readonly At<Step>[],
  side: SurveyedBranch,
): Claimed<Sighting> | null {
  const own = steps.filter((step) => step.side === side);
  const meeting = own.filter((step) => step.file !== taken.file && needs(step, taken) && isThere(step, own));
  const later = meeting.filter((step) => runsAfter(step.file, taken.file));
  const [first, ...more] = later.length > 0 ? later : meeting;
  if (!first) return null;
  // Two steps that remove the same thing meet twice; the one that runs later is to blame.
  if (taking.includes(first.op) && later.length === 0) return null;
  const what =
    taken.name === undefined ? `the table ${taken.table}` : `the column ${taken.table}.${taken.name}`;
  const did = taken.to === undefined ? `drops ${what}` : `renames ${what} to ${taken.to}`;
  const isGuarded = first.guarded === true;
  if (isGuarded && first.op.startsWith('drop')) return null;
  return {
    key: taken.name === undefined ? `table:${taken.table}` : `column:${taken.table}.${taken.name}`,
    provider: { ...taken, name: taken.name ?? taken.table },
    sites: [
      { ...first, name: first.name ?? first.table },
      ...more.map((step) => ({ ...step, name: step.name ?? step.table })),
    ],
    subject: `${taken.table}.${taken.name ?? ''}`,
    confidence: claimAbsence(absent(later.length === 0 && 'assumption')),
    message:
      later.length > 0
        ? `${taken.side.ref} ${did} in ${taken.file}; ${first.file} of ${side.ref} runs after it and still works with the old name`
        : `${taken.side.ref} ${did} in ${taken.file}; ${first.file} of ${side.ref} works with the old name and has to run before it`,
    suggestion:
      taken.to === undefined
        ? 'leave it out of the later migration'
        : `use ${taken.to} in the later migration`,
  };
}

/** Whether a step needs what another one removes. */
function needs(step: Step, taken: Step): boolean {
  if (step.op === 'create table' || step.table !== taken.table) return false;
  if (taken.name === undefined || taken.op.endsWith('table')) return true;
  return step.op.endsWith('table') ? false : step.name === taken.name && step.op !== 'add column';
}

/** Not created by the same branch: otherwise it is another thing with the same name. */
function isThere(step: Step, own: readonly At<Step>[]): boolean {
  return !own.some(
    (other) =>
      other !== step &&
      other.table === step.table &&
      (other.op === 'create table' || (other.op === 'add column' && other.name === step.name)),
  );
}

/** A table that its own branch creates again is not gone: C07 reports what it lacks then. */
function isMadeAgain({ table, side, op }: At<Step>, steps: readonly At<Step>[]): boolean {
  return (
    op.endsWith('table') &&
    steps.some((step) => step.side === side && (step.op === 'create table' || step.to === table))
  );
}
