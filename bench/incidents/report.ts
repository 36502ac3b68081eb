import { median, percent, renderTable, seconds } from '../table.ts';
import type { Answer } from './ask.ts';
import type { HalfName, Incident } from './incident.ts';

/** An incident that was rebuilt and asked about, or why it was not. */
export type Asked =
  | { readonly row: Incident; readonly refused: string }
  | {
      readonly row: Incident;
      readonly answer: Answer;
      readonly twin: Answer;
      readonly telling: Answer['findings'];
    };

type Answered = Exclude<Asked, { readonly refused: string }>;

export interface AskedClean {
  readonly repository: string;
  readonly language: string;
  readonly answers: readonly Answer[];
  readonly refused: number;
}

const head = [
  'pairs',
  'git merge-tree',
  'found',
  'blocking',
  'asked',
  'twin: fail',
  'twin: undecided',
  'twin: proven',
  'CPU, median',
];

export function incidentTables(half: HalfName, asked: readonly Asked[]): string {
  const answered = asked.filter((each): each is Answered => 'answer' in each);
  const refused = asked.flatMap((each) => ('refused' in each ? [each] : []));
  const repositories = new Set(answered.map(({ row }) => row.repository)).size;
  const years = answered.filter(({ row }) => row.date >= '2025').length;
  return [
    `The ${half} half: ${answered.length} pairs of ${repositories} repositories rebuilt, ${years} of 2025 and later; ${refused.length} not rebuilt.`,
    ...refused.map(
      ({ row, refused: why }) => `not rebuilt: ${row.repository} ${row.repair.slice(0, 10)}: ${why}`,
    ),
    '',
    tableBy('language', answered, ({ row }) => row.language),
    '',
    tableBy('category', answered, ({ row }) => row.category),
  ].join('\n');
}

function tableBy(title: string, asked: readonly Answered[], key: (each: Answered) => string): string {
  const groups = [...Map.groupBy(asked, key)].sort(([, a], [, b]) => b.length - a.length);
  return renderTable(
    [title, ...head],
    [...groups, ['all', asked] as const].map(([name, own]) => [name, ...counts(own)]),
  );
}

function counts(asked: readonly Answered[]): string[] {
  const found = asked.filter(({ telling }) => telling.length > 0);
  const by = (effect: string) =>
    found.filter(({ telling }) => telling.some((each) => each.effect === effect)).length;
  const stops = by('stops');
  return [
    String(asked.length),
    '0',
    `${found.length} (${percent(found.length / asked.length)})`,
    String(stops),
    String(
      found.filter(
        ({ telling }) =>
          telling.some(({ effect }) => effect === 'asks') &&
          !telling.some(({ effect }) => effect === 'stops'),
      ).length,
    ),
    ...falseCounts(asked.map(({ twin }) => twin)),
    seconds(median(asked.map(({ answer }) => answer.cpuMs))),
  ];
}

export function cleanTable(asked: readonly AskedClean[]): string {
  const groups: [string, readonly AskedClean[]][] = [...Map.groupBy(asked, ({ language }) => language)];
  const rows = [...groups, ['all', asked] satisfies [string, readonly AskedClean[]]].map(
    ([language, own]) => {
      const answers = own.flatMap((each) => each.answers);
      return [
        language,
        String(new Set(own.map(({ repository }) => repository)).size),
        String(answers.length),
        ...falseCounts(answers),
        seconds(median(answers.map(({ cpuMs }) => cpuMs))),
        String(own.reduce((sum: number, { refused }) => sum + refused, 0)),
      ];
    },
  );
  return renderTable(
    ['language', 'repositories', 'pairs', 'fail', 'undecided', 'proven', 'CPU, median', 'not rebuilt'],
    rows,
  );
}

/** Of unions that are right: how many fail, are undecided or without a report, or show a finding that is said to be proven. */
function falseCounts(answers: readonly Answer[]): string[] {
  const proven = answers.filter(({ findings }) =>
    findings.some(
      ({ rule, confidence, effect }) => rule !== 'T01' && confidence === 'proven' && effect !== 'hidden',
    ),
  );
  return [
    answers.filter(({ status }) => status === 'fail').length,
    answers.filter(({ status }) => status === 'undecided' || status === null).length,
    proven.length,
  ].map(String);
}
