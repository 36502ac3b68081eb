import type { GraphqlDocument } from '#code/formats/shared/data-facts.ts';
import { absent } from '#code/link/absence.ts';
import { claimAbsence, contradiction } from './claims/claim.ts';
import {
  type At,
  type ChangedData,
  changedData,
  type NewField,
  newFields,
  newIn,
} from './data/changed-data.ts';
import { goneFrom } from './data/gone.ts';
import { graphqlSchemas } from './data/graphql.ts';
import type { Claimed, Rule } from './rule.ts';
import { meetings, type Sighting, type Spot, type Survey, type SurveyedBranch } from './survey/survey.ts';

export const graphqlConflict = {
  id: 'C05',
  name: 'graphql-conflict',
  category: 'schema',
  severity: 'blocking',
  languages: ['graphql'],
  precision: 0.98,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 36, real: 36 },
  what: 'An operation of one branch is valid against its own schema and not against the merged one: another branch removed the field, changed its type or its arguments. Or two branches define one type or one field. Operations are validated by graphql-js, in documents and in gql`…` of code.',
  example: { a: ['type User { - email: String }'], b: ['+ query { user { email } }'] },
  move: 'Ask for what the schema has now, or keep the field.',
  proof: ['proven'],
  claims: 'absence',
  owner: 'consumer',
  detect: { survey: conflictsInGraphql },
} satisfies Rule;

async function conflictsInGraphql(survey: Survey): Promise<Claimed<Sighting>[]> {
  const data = await changedData(survey);
  const all = [...data.values()].flat().filter(({ before, after }) => before.documents || after.documents);
  if (new Set(all.map(({ side }) => side)).size < 2) return [];
  return [
    ...(await brokenOperations(survey, data)),
    ...typesTwice(survey, all),
    ...(await fieldsTwice(survey, all)),
  ];
}

async function brokenOperations(
  survey: Survey,
  data: ReadonlyMap<SurveyedBranch, readonly ChangedData[]>,
): Promise<Claimed<Sighting>[]> {
  const schemaOf = graphqlSchemas(survey);
  const found: Claimed<Sighting>[] = [];
  for (const [side, own] of data)
    for (const operation of own.flatMap(newOperations)) {
      const before = (await schemaOf(side.tree))?.errorsOf(operation.text);
      if (!before) continue;
      for (const [other, others] of data) {
        if (other === side || !survey.isApart(other, side) || !others.some(changesTypes)) continue;
        // Where the text of all branches does not merge, the types of the other branch are used.
        const tree = survey.union ?? (own.some(changesTypes) ? null : other.tree);
        const merged = tree && (await schemaOf(tree))?.errorsOf(operation.text);
        const alone = (await schemaOf(other.tree))?.errorsOf(operation.text);
        const errors = merged?.filter((error) => !before.includes(error) && alone?.includes(error)) ?? [];
        if (errors.length > 0) found.push(...errors.map((error) => broken(error, operation, other, others)));
      }
    }
  return found;
}

function newOperations(changed: ChangedData): At<GraphqlDocument>[] {
  return newIn(changed, ({ documents }) => documents?.filter(({ kind }) => kind === 'operations'));
}

function changesTypes({ before, after }: ChangedData): boolean {
  return [before, after].some(({ documents }) => documents?.some(({ kind }) => kind === 'types'));
}

function broken(
  error: string,
  operation: At<GraphqlDocument>,
  other: SurveyedBranch,
  others: readonly ChangedData[],
): Claimed<Sighting> {
  const names = [...error.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name.replace(/[![\]]/g, ''));
  const gone = goneFrom(others).find(
    ({ entity, name }) => names.includes(entity ?? '') && names.includes(name ?? ''),
  );
  const changed = others.find(changesTypes);
  const name = gone?.name ?? names[0]?.split('.').at(-1) ?? '';
  const provider: Sighting['provider'] = gone
    ? { side: other, file: gone.file, line: gone.line, name, removed: true }
    : { side: other, file: changed?.file ?? '', line: 1, name };
  const row = operation.text.split('\n').findIndex((text) => new RegExp(`\\b${name}\\b`).test(text));
  return {
    key: `graphql:${names.join(' ')}`,
    provider,
    sites: [{ side: operation.side, file: operation.file, line: operation.line + Math.max(row, 0), name }],
    subject: name,
    confidence: claimAbsence(absent()),
    message: `an operation of ${operation.side.ref} does not fit the types of ${other.ref}: ${error}`,
    suggestion: gone?.to ? `ask for ${gone.to} instead` : 'ask for what the schema has now, or keep it',
  };
}

/** One type in two files. */
function typesTwice(survey: Survey, all: readonly ChangedData[]): Claimed<Sighting>[] {
  const made = all.flatMap(({ side, file, before, after }) =>
    (after.entities ?? []).flatMap((entity) => {
      const isNew = !before.entities?.some(({ name }) => name === entity.name);
      return entity.form === 'GraphQL' && isNew ? [{ ...entity, side, file }] : [];
    }),
  );
  return [...Map.groupBy(made, ({ name }) => name).values()].flatMap((group) =>
    meetings(survey, group).flatMap(([first, second]): Claimed<Sighting>[] =>
      first.file === second.file ? [] : [twice(first, second, `the type ${first.name}`)],
    ),
  );
}

/** One field of one type, twice in the merged documents. */
async function fieldsTwice(survey: Survey, all: readonly ChangedData[]): Promise<Claimed<Sighting>[]> {
  const { union } = survey;
  if (union === null) return [];
  const fields = all
    .flatMap(newFields)
    .filter(
      ({ entity, isNewEntity }) =>
        entity.layer === 'graphql' && (entity.form === 'GraphQL extension' || !isNewEntity),
    );
  const found: Claimed<Sighting>[] = [];
  for (const group of Map.groupBy(fields, ({ entity, field }) => `${entity.name}.${field.name}`).values())
    for (const [first, second] of meetings(survey, group)) {
      const files = [...new Set([first.file, second.file])];
      const merged = (await Promise.all(files.map((file) => survey.data(union, file)))).flatMap((facts) =>
        (facts?.entities ?? [])
          .filter(({ name }) => name === first.entity.name)
          .flatMap((each) => each.fields),
      );
      if (merged.filter(({ name }) => name === first.field.name).length < 2) continue;
      const at = (each: At<NewField>): Spot => ({ ...each, line: each.field.line, name: each.field.name });
      found.push(twice(at(first), at(second), `the field ${first.entity.name}.${first.field.name}`));
    }
  return found;
}

function twice(first: Spot, second: Spot, what: string): Claimed<Sighting> {
  return {
    key: `graphql:${what}`,
    provider: first,
    sites: [second],
    subject: what,
    confidence: contradiction,
    message: `${first.side.ref} and ${second.side.ref} both define ${what}`,
    suggestion: 'keep one of the two',
  };
}
