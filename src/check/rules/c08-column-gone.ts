import { absent } from '#code/link/absence.ts';
import { symbolId } from '#schema/identity.ts';
import { claimAbsence } from './claims/claim.ts';
import { changedData } from './data/changed-data.ts';
import { declares, type Gone, goneFrom } from './data/gone.ts';
import { type Meeting, meetingsWith } from './data/meetings-with-gone.ts';
import type { Claimed, Rule } from './rule.ts';
import type { Sighting, Spot, Survey, SurveyedBranch } from './survey/survey.ts';

export const columnGone = {
  id: 'C08',
  name: 'column-gone',
  category: 'schema',
  severity: 'blocking',
  languages: ['sql', 'typescript', 'python'],
  precision: 0.93,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 54, real: 54 },
  what: 'One branch drops or renames a column, a table or a field of a model, and another branch adds code that names it: a query, a model, a GraphQL type, a schema, a client that reads it from the answer of a route. All hops between the two are listed. Proven where both sides are SQL files that were read whole.',
  example: { a: ['+ ALTER TABLE orders DROP COLUMN note;'], b: ['+ SELECT note FROM orders;'] },
  move: 'Use the new name, or keep the column until no code reads it.',
  proof: ['proven', 'likely'],
  claims: 'absence',
  owner: 'consumer',
  detect: { survey: usesOfGone },
} satisfies Rule;

async function usesOfGone(survey: Survey): Promise<Claimed<Sighting>[]> {
  const data = await changedData(survey);
  const found: Claimed<Sighting>[] = [];
  for (const [remover, own] of data) {
    const told = new Set<string>();
    for (const gone of goneFrom(own)) {
      // C04, C05 and C06 cover these more precisely.
      if (told.has(gone.key) || /^(?:OpenAPI|GraphQL|protobuf)/.test(gone.form)) continue;
      told.add(gone.key);
      const declared = goneFrom(own).filter(({ key, file }) => key === gone.key && file !== gone.file);
      for (const [side, others] of data) {
        if (side === remover || !survey.isApart(side, remover) || declares(others, gone)) continue;
        const met = await meetingsWith(survey, gone, side, others);
        const left = await stillThere(survey, met);
        if (left.length > 0) found.push(sightingOf(gone, declared, side, left));
      }
    }
  }
  return found;
}

/** Only what the union also has: the other branch, or a third one, may have adapted the file. */
async function stillThere(survey: Survey, met: readonly Meeting[]): Promise<Meeting[]> {
  const { union } = survey;
  if (union === null) return [...met];
  const left: Meeting[] = [];
  for (const each of met) {
    const text = await survey.read(union, each.spot.file);
    if (text?.includes(each.spot.name)) left.push(each);
  }
  return left;
}

type GoneAt = Gone & { readonly side: SurveyedBranch; readonly file: string };

function sightingOf(
  gone: GoneAt,
  declared: readonly GoneAt[],
  side: SurveyedBranch,
  met: readonly Meeting[],
): Claimed<Sighting> {
  const certain = met.filter(({ isCertain }) => isCertain);
  const isProven = gone.isParsed && certain.length > 0;
  const what = gone.name === null ? `the table ${gone.table}` : thing(gone);
  const change = gone.to === null ? 'removes' : 'renames';
  const [first] = isProven ? certain : met;
  const hops = dedupe(met.flatMap(({ hops }) => hops));
  const spots: Spot[] = dedupe([
    ...met.map(({ spot }) => spot),
    ...hops,
    ...declared.map(({ side: own, file, line, name }) => ({ side: own, file, line, name: name ?? '' })),
  ]);
  const chain = hops.map((hop) => `${hop.what} (${hop.file}:${hop.line})`);
  const via = [...new Set(met.map((each) => each.via))].join(', ');
  const path = chain.length === 0 ? '' : ` through ${chain.join(' → ')}`;
  return {
    key: gone.key,
    provider: {
      side: gone.side,
      file: gone.file,
      line: gone.line,
      name: gone.name ?? gone.table ?? '',
      removed: !gone.isMigration,
    },
    sites: [first?.spot ?? (spots[0] as Spot), ...spots.filter((spot) => spot !== first?.spot)],
    symbols: [gone, ...declared].flatMap(symbolsOf),
    subject: gone.name === null ? (gone.table ?? '') : `${gone.table ?? gone.entity}.${gone.name}`,
    confidence: claimAbsence(absent(!isProven && 'assumption')),
    message: `${gone.side.ref} ${change} ${what}${gone.to === null ? '' : ` to ${gone.to}`}; ${side.ref} adds a use of it in ${via}${path}`,
    suggestion:
      gone.to === null ? `do without ${gone.name ?? gone.table}, or keep it` : `use ${gone.to} instead`,
  };
}

/** The attribute of a class model under both of its names. */
function symbolsOf({ file, entity, name, to }: GoneAt): string[] {
  return entity === null
    ? []
    : [name, to].flatMap((each) => (each === null ? [] : symbolId(file, `${entity}.${each}`)));
}

function thing({ table, entity, name }: Gone): string {
  return table === null ? `the field ${entity}.${name}` : `the column ${table}.${name}`;
}

function dedupe<Each extends Spot>(spots: readonly Each[]): Each[] {
  const known = new Map(spots.map((spot) => [`${spot.side.ref} ${spot.file}:${spot.line}`, spot] as const));
  return [...known.values()];
}
