import type { Placed } from '#code/formats/shared/data-facts.ts';
import { absent } from '#code/link/absence.ts';
import { claimAbsence, contradiction } from './claims/claim.ts';
import { type At, type ChangedData, changedData, newIn, newUses } from './data/changed-data.ts';
import { goneFrom } from './data/gone.ts';
import type { Claimed, Rule } from './rule.ts';
import { meetings, type Sighting, type Survey, type SurveyedBranch } from './survey/survey.ts';

export const openapiDivergence = {
  id: 'C04',
  name: 'openapi-divergence',
  category: 'schema',
  severity: 'blocking',
  languages: ['yaml', 'json'],
  precision: 0.95,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 36, real: 36 },
  what: 'The merged description of an API does not hold together: one branch removes a schema, a parameter, a response or another component that another one refers to, from the same file or from another, two operations get one operationId, or a property that one branch removes is required or shown in an example by the other.',
  example: {
    a: ['- Money: …   # components.schemas'],
    b: ["+ price: { $ref: '#/components/schemas/Money' }"],
  },
  move: 'Refer to what the description has now; give each operation its own id.',
  proof: ['proven', 'likely'],
  claims: 'absence',
  owner: 'consumer',
  detect: { survey: divergences },
} satisfies Rule;

async function divergences(survey: Survey): Promise<Claimed<Sighting>[]> {
  const data = await changedData(survey);
  // Of thousands of branches few remove anything; comparing all pairs would be millions.
  const removers = [...data].filter(
    ([, own]) => own.some((changed) => componentsGone(changed).length > 0) || goneFrom(own).length > 0,
  );
  const pairs = removers.flatMap(([remover, own]) =>
    [...data]
      .filter(([side, others]) => side !== remover && others.length > 0 && survey.isApart(side, remover))
      .map(([side, others]) => ({ remover, own, side, others })),
  );
  const dangling = await Promise.all(pairs.map((pair) => danglingReferences(survey, pair)));
  return [
    ...dangling.flat(),
    ...pairs.flatMap(lostProperties),
    ...(await idsTakenTwice(survey, [...data.values()].flat())),
  ];
}

interface Pair {
  readonly remover: SurveyedBranch;
  readonly own: readonly ChangedData[];
  readonly side: SurveyedBranch;
  readonly others: readonly ChangedData[];
}

async function danglingReferences(
  survey: Survey,
  { remover, own, side, others }: Pair,
): Promise<Claimed<Sighting>[]> {
  const found: Claimed<Sighting>[] = [];
  for (const changed of own)
    for (const { name, line } of componentsGone(changed)) {
      const refs: At<Placed>[] = [];
      for (const other of others)
        for (const ref of newIn(other, ({ references }) => references)) {
          const target = other.file === changed.file ? name : `${changed.file}#${name}`;
          if (ref.name === target && (await isLeft(survey, other.file, ref.name))) refs.push(ref);
        }
      const [first, ...more] = refs;
      if (!first || (await isBack(survey, changed.file, name))) continue;
      const [kind = '', own = ''] = name.split('/').slice(-2);
      const what = `${kinds[kind] ?? 'schema'} ${own}`;
      found.push({
        key: `schema:${changed.file}#${own}`,
        provider: { side: remover, file: changed.file, line, name: own, removed: true },
        sites: [first, ...more],
        subject: own,
        // A scheme is required by name, which validators do not check.
        confidence: claimAbsence(absent(kind === 'securitySchemes' && 'nobody objects')),
        message: `${remover.ref} removes the ${what} from ${changed.file}; ${side.ref} adds a reference to it`,
        suggestion: `refer to another one, or keep ${own}`,
      });
    }
  return found;
}

const kinds: Readonly<Record<string, string>> = {
  parameters: 'parameter',
  responses: 'response',
  requestBodies: 'request body',
  headers: 'header',
  examples: 'example',
  securitySchemes: 'security scheme',
};

function componentsGone({ before, after }: ChangedData): Placed[] {
  if (after.problem) return [];
  const left = new Set(after.components?.map(({ name }) => name));
  return (before.components ?? []).filter(({ name }) => !left.has(name));
}

/** Whether the union still has the reference: a third branch may have adapted it. */
async function isLeft({ union, data }: Survey, file: string, name: string): Promise<boolean> {
  if (union === null) return true;
  return (await data(union, file))?.references?.some((each) => each.name === name) ?? false;
}

/** Whether the union has it again. */
async function isBack({ union, data }: Survey, file: string, name: string): Promise<boolean> {
  if (union === null) return false;
  return (await data(union, file))?.components?.some((each) => each.name === name) ?? false;
}

function lostProperties({ remover, own, side, others }: Pair): Claimed<Sighting>[] {
  const uses = others.flatMap(newUses).filter(({ via }) => via === 'OpenAPI');
  return goneFrom(own).flatMap((gone): Claimed<Sighting>[] => {
    const met = uses.filter(
      (use) => use.of === gone.entity && use.name === gone.name && use.file === gone.file,
    );
    const [first, ...more] = met;
    if (!first || gone.form !== 'OpenAPI') return [];
    const name = `${gone.entity}.${gone.name}`;
    return [
      {
        key: `property:${gone.file}#${name}`,
        provider: { side: remover, file: gone.file, line: gone.line, name: gone.name ?? '', removed: true },
        sites: [first, ...more],
        subject: name,
        confidence: 'likely',
        message: `${remover.ref} removes the property ${name} from ${gone.file}; ${side.ref} requires it or shows it in an example`,
        suggestion: `leave ${gone.name} out, or keep the property`,
      },
    ];
  });
}

async function idsTakenTwice(survey: Survey, all: readonly ChangedData[]): Promise<Claimed<Sighting>[]> {
  const byId = new Map<string, At<Placed>[]>();
  for (const changed of all)
    for (const id of newIn(changed, ({ operationIds }) => operationIds)) {
      const key = `${changed.file}#${id.name}`;
      byId.set(key, [...(byId.get(key) ?? []), id]);
    }
  const found: Claimed<Sighting>[] = [];
  for (const [key, ids] of byId)
    for (const [first, second] of meetings(survey, ids)) {
      if (!(await isTwice(survey, first, second))) continue;
      found.push({
        key: `operation:${key}`,
        provider: first,
        sites: [second],
        subject: first.name,
        confidence: contradiction,
        message: `${first.side.ref} and ${second.side.ref} both give the operationId ${first.name} in ${first.file}; it has to be unique`,
        suggestion: 'give one of the two another operationId',
      });
    }
  return found;
}

/** Both may have added the same operation, which then exists once. */
async function isTwice({ union, data }: Survey, first: At<Placed>, second: At<Placed>): Promise<boolean> {
  if (union === null) return first.line !== second.line;
  const merged = (await data(union, first.file))?.operationIds ?? [];
  return merged.filter(({ name }) => name === first.name).length > 1;
}
