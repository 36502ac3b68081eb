import type { Step } from '#code/formats/shared/data-facts.ts';
import { type At, changedData, newSteps } from './data/changed-data.ts';
import type { Rule } from './rule.ts';
import { meetings, type Sighting, type Survey } from './survey/survey.ts';

export const createdTwice = {
  id: 'M03',
  name: 'created-twice',
  category: 'schema',
  severity: 'blocking',
  languages: ['sql', 'python'],
  precision: 0.98,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 18, real: 18 },
  what: 'Two branches each create a table, an index, a type or a view of the same name. The database refuses the second one; with IF NOT EXISTS it keeps the first and says nothing, which matters where the two differ.',
  example: { a: ['+ CREATE TABLE inventory (…)'], b: ['+ CREATE TABLE inventory (…)'] },
  move: 'Keep one of the two, or give one another name.',
  proof: ['proven', 'likely'],
  owner: 'either',
  detect: { survey: thingsCreatedTwice },
} satisfies Rule;

async function thingsCreatedTwice(survey: Survey): Promise<Sighting[]> {
  const byName = new Map<string, At<Step>[]>();
  for (const [, own] of await changedData(survey)) {
    const steps = own.flatMap(newSteps);
    const gone = new Set(steps.flatMap((step) => (step.op.startsWith('drop') ? [nameOf(step)] : [])));
    // A table that is renamed afterwards was only temporary.
    for (const step of steps) if (step.op === 'rename table') gone.add(step.table);
    for (const step of steps) {
      if (!/^create /.test(step.op)) continue;
      const key = `${step.op.slice('create '.length).replace('other', 'type or view')}:${nameOf(step)}`;
      if (!gone.has(nameOf(step))) byName.set(key, [...(byName.get(key) ?? []), step]);
    }
  }
  return [...byName].flatMap(([key, steps]) =>
    meetings(survey, steps).flatMap(([first, second]): Sighting[] => {
      if (first.file === second.file && first.line === second.line) return [];
      const isGuarded = first.guarded === true || second.guarded === true;
      if (isGuarded && shapeOf(first) === shapeOf(second)) return [];
      const [kind = '', name = ''] = key.split(':');
      return [
        {
          key,
          provider: { ...first, name },
          sites: [{ ...second, name }],
          subject: name,
          confidence: isGuarded ? 'likely' : 'proven',
          message: `${first.side.ref} and ${second.side.ref} both create the ${kind} ${name}${isGuarded ? ', and not alike: which of them is kept depends on the order' : '; the second migration fails'}`,
          suggestion: `keep one of the two, or give one another name`,
        },
      ];
    }),
  );
}

function nameOf({ op, table, name }: Step): string {
  return op.endsWith('index') ? (name ?? '') : table;
}

function shapeOf({ columns = [], table }: Step): string {
  return JSON.stringify([table, columns.map(({ name, type, required }) => [name, type, required]).sort()]);
}
