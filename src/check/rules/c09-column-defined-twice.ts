import type { Step } from '#code/formats/shared/data-facts.ts';
import { type At, changedData, newFields, newSteps } from './data/changed-data.ts';
import type { Rule } from './rule.ts';
import { meetings, type Sighting, type Survey } from './survey/survey.ts';

export const columnDefinedTwice = {
  id: 'C09',
  name: 'column-defined-twice',
  category: 'schema',
  severity: 'blocking',
  languages: ['sql', 'python', 'prisma'],
  precision: 0.97,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 18, real: 18 },
  what: 'Two branches each add a column of the same name to the same table, or a field to the same Prisma model. The database refuses the second one; with IF NOT EXISTS it keeps the first definition and says nothing, which matters where the two differ.',
  example: { a: ['+ ADD COLUMN plan text'], b: ['+ ADD COLUMN plan integer NOT NULL'] },
  move: 'Agree on one definition and keep one of the two migrations.',
  proof: ['proven', 'likely'],
  owner: 'either',
  detect: { survey: columnsAddedTwice },
} satisfies Rule;

async function columnsAddedTwice(survey: Survey): Promise<Sighting[]> {
  return [...(await addedByMigrations(survey)), ...(await fieldsOfOneModel(survey))];
}

/** A Prisma model that has a field twice after the merge is refused. */
async function fieldsOfOneModel(survey: Survey): Promise<Sighting[]> {
  const all = [...(await changedData(survey)).values()].flat();
  const fields = all.flatMap(newFields).filter(({ entity }) => entity.form === 'Prisma');
  const groups = Map.groupBy(fields, ({ file, entity, field }) =>
    JSON.stringify([file, entity.name, field.name]),
  );
  const found: Sighting[] = [];
  for (const group of groups.values())
    for (const [first, second] of meetings(survey, group)) {
      const { file, entity, field } = second;
      const merged = survey.union && (await survey.data(survey.union, file));
      const model = merged?.entities?.find(({ name }) => name === entity.name);
      if ((model?.fields.filter(({ name }) => name === field.name).length ?? 0) < 2) continue;
      const name = `${entity.name}.${field.name}`;
      found.push({
        key: `field:${file}#${name}`,
        provider: { ...first, line: first.field.line, name: field.name },
        sites: [{ ...second, line: field.line, name: field.name }],
        subject: name,
        confidence: 'proven',
        message: `${first.side.ref} and ${second.side.ref} both add the field ${name}: the merged model has it twice`,
        suggestion: 'keep one of the two definitions',
      });
    }
  return found;
}

async function addedByMigrations(survey: Survey): Promise<Sighting[]> {
  const byColumn = new Map<string, At<Step>[]>();
  for (const [, own] of await changedData(survey)) {
    const steps = own.flatMap(newSteps);
    // A column that the same branch drops again does not exist for the other one.
    const dropped = new Set(
      steps.flatMap(({ op, table, name }) => (op === 'drop column' ? [`${table}.${name}`] : [])),
    );
    for (const step of steps) {
      if (step.op !== 'add column' || step.name === undefined) continue;
      const key = `${step.table}.${step.name}`;
      if (!dropped.has(key)) byColumn.set(key, [...(byColumn.get(key) ?? []), step]);
    }
  }
  return [...byColumn].flatMap(([column, steps]) =>
    meetings(survey, steps).flatMap(([first, second]): Sighting[] => {
      if (first.file === second.file) return [];
      const isSame = definitionOf(first) === definitionOf(second);
      const isGuarded = first.guarded === true || second.guarded === true;
      if (isSame && isGuarded) return [];
      const say = (step: Step) => `${column} ${definitionOf(step)}`.trim();
      return [
        {
          key: `column:${column}`,
          provider: { ...first, name: first.name ?? '' },
          sites: [{ ...second, name: second.name ?? '' }],
          subject: column,
          confidence: isGuarded ? 'likely' : 'proven',
          message: isSame
            ? `${first.side.ref} and ${second.side.ref} both add the column ${say(first)}; the second migration fails`
            : `${first.side.ref} adds ${say(first)} and ${second.side.ref} adds ${say(second)}: ${isGuarded ? 'which of them is kept depends on the order' : 'the second migration fails'}`,
          suggestion: 'keep one of the two definitions',
        },
      ];
    }),
  );
}

function definitionOf({ type, required, value }: Step): string {
  return [type ?? '', required ? 'not null' : '', value ? 'with a default' : '']
    .filter((part) => part !== '')
    .join(' ');
}
