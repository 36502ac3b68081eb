import type { Finding } from '#schema/check-report.ts';
import { ruleById } from '#schema/rules.ts';
import { percent, renderTable } from '../table.ts';
import type { Way } from './operator.ts';
import { oracles } from './oracles/index.ts';
import { isExactSet, type Outcome } from './score.ts';
import type { Seeded } from './seed.ts';

const columns = [
  'rule',
  'oracle',
  'drawn',
  'kept',
  'recall',
  'same rule',
  'precision',
  'twin alarms',
  'exact set',
  'owner B',
];

/** One row per operator. */
export function tableOf(
  ways: readonly Way[],
  seeded: readonly Seeded[],
  outcomes: readonly Outcome[],
): string {
  return renderTable(
    columns,
    ways.map((way) => rowOf(way, seeded, outcomes)),
  );
}

function rowOf(operator: Way, seeded: readonly Seeded[], outcomes: readonly Outcome[]): string[] {
  const own = outcomes.filter((outcome) => outcome.seeded.operator === operator);
  const found = own.flatMap(({ matches, seeded: entry }) =>
    matches.slice(0, 1).map((match) => ({ match, entry })),
  );
  const shown = own.flatMap(({ findings }) => findings).length;
  const right = own.flatMap(({ matches }) => matches).length;
  const share = (part: number, of: number) => (of === 0 ? '–' : percent(part / of));
  const shareOfFound = (test: (match: Finding, entry: Seeded) => boolean) =>
    share(found.filter(({ match, entry }) => test(match, entry)).length, found.length);
  return [
    `${operator.rule} ${ruleById(operator.rule).name} (${operator.name})`,
    oracles[operator.oracle],
    String(seeded.filter((entry) => entry.operator === operator).length),
    String(own.length),
    share(found.length, own.length),
    shareOfFound(({ rule }) => rule === operator.rule),
    share(right, shown),
    `${own.filter(({ onTwin }) => onTwin.length > 0).length} of ${own.length}`,
    shareOfFound(isExactSet),
    shareOfFound(({ owner }, { conflict }) => owner === conflict[2]),
  ];
}

/** The targets: how many conflicts are found, whether blocking findings are right, how many twins stay without a finding. */
export function totalsOf(outcomes: readonly Outcome[]): string {
  const blocking = ({ severity }: Finding) => severity === 'blocking';
  const onTwins = outcomes.flatMap(({ onTwin }) => onTwin).filter(blocking).length;
  const shown = outcomes.flatMap(({ findings }) => findings).filter(blocking).length + onTwins;
  const right = outcomes.flatMap(({ matches }) => matches).filter(blocking).length;
  const found = outcomes.filter(({ matches }) => matches.length > 0).length;
  const alarms = outcomes.filter(({ onTwin }) => onTwin.length > 0).length;
  const share = (part: number, of: number) => (of === 0 ? '–' : percent(part / of));
  return `all: ${outcomes.length} kept; recall ${share(found, outcomes.length)}; blocking findings right ${right} of ${shown} (${share(right, shown)}); twins with an alarm ${alarms} of ${outcomes.length} (${share(alarms, outcomes.length)})`;
}

/** Every scenario with an unexpected result, for investigation. */
export function describeSurprises(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap(({ seeded, findings, matches, onTwin }) => {
    const { operator, project, candidate } = seeded;
    const where = `${operator.rule} ${project} ${candidate.symbol}`;
    const [match] = matches;
    return [
      ...(match === undefined ? [`missed: ${where} (${operator.name})`] : []),
      ...(match && match.rule !== operator.rule
        ? [`other rule: ${where}: ${match.rule} ${match.message}`]
        : []),
      ...findings
        .filter((finding) => !matches.includes(finding))
        .map(({ rule, message }) => `beside it: ${where}: ${rule} ${message}`),
      ...onTwin.map(({ rule, message }) => `on the twin: ${where}: ${rule} ${message}`),
    ];
  });
}
