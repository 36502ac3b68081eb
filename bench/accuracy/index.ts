import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../src/model/check-report.ts';
import { ruleById } from '../../src/model/rules.ts';
import type { BenchOptions, Part } from '../part.ts';
import { percent, renderTable } from '../table.ts';
import { droppedTable } from './dropped.ts';
import type { Operator } from './operator.ts';
import { operators as allOperators, notSeeded } from './operators/index.ts';
import { oracles } from './oracles/index.ts';
import { openProject, projectPlans } from './project.ts';
import { type Confirm, isExactSet, type Outcome, score } from './score.ts';
import { type Seeded, sow } from './seed.ts';
import { specificity } from './specificity.ts';

export const accuracy: Part = {
  name: 'accuracy',
  summary: 'seeded conflicts that a type checker or a run confirms, their benign twins, and real histories',
  run: runAccuracy,
};

/** Scenarios per operator, over all projects. In a small run the type checker is asked about fewer. */
const perOperator = { small: { none: 6, types: 3 }, full: { none: 15, types: 15 } };

async function runAccuracy({ full, seed, types, rules, dropped }: BenchOptions): Promise<string> {
  const operators = allOperators.filter(({ rule }) => rules.length === 0 || rules.includes(rule));
  const folder = mkdtempSync(join(tmpdir(), 'joinery-accuracy-'));
  const cache = join(folder, 'cache');
  const count = full ? perOperator.full : perOperator.small;
  const outcomes: Record<Confirm, Outcome[]> = { none: [], types: [] };
  const seeded: Seeded[] = [];
  try {
    for (const [at, plan] of projectPlans.entries()) {
      const project = await openProject(plan);
      const dir = join(folder, project.name.replace('/', '+'));
      // What earlier projects could not offer the later ones make up for.
      const share = (total: number) => (operator: Operator) =>
        Math.ceil((total - keptOf(seeded, operator).length) / (projectPlans.length - at));
      const told = progress(project.name);
      const sown = await sow(project, operators, share(count.none), seed, dir);
      told('sown');
      const kept = sown.filter(({ rejected }) => rejected === null);
      outcomes.none.push(...(await score(kept, cache, 'none')));
      told('checked');
      if (types) {
        const few = fewer(kept, Math.ceil(count.types / projectPlans.length));
        outcomes.types.push(...(await score(few, cache, 'types')));
        told('checked with types');
      }
      seeded.push(...sown);
      rmSync(dir, { recursive: true, force: true });
    }
    return [
      `seed ${seed}; projects: ${projectPlans.map(({ package: name, version }) => `${name} ${version}`).join(', ')}`,
      ...(['none', 'types'] as const).flatMap((by) =>
        outcomes[by].length === 0
          ? []
          : [
              '',
              `--confirm ${by}`,
              tableOf(operators, seeded, outcomes[by]),
              ...describeSurprises(outcomes[by]),
            ],
      ),
      '',
      ...notSeeded.map(({ rule, reason }) => `not seeded: ${rule} ${ruleById(rule).name}: ${reason}`),
      ...(dropped ? ['', droppedTable(seeded)] : []),
      ...(rules.length === 0 ? ['', await specificity(cache, full)] : []),
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The way is long: how far it has come goes to stderr. */
function progress(project: string): (done: string) => void {
  let since = performance.now();
  return (done) => {
    console.error(`${project}: ${done} in ${((performance.now() - since) / 1000).toFixed(0)} s`);
    since = performance.now();
  };
}

function keptOf(seeded: readonly Seeded[], operator: Operator): Seeded[] {
  return seeded.filter((entry) => entry.operator === operator && entry.rejected === null);
}

/** The first scenarios of each operator. */
function fewer(kept: readonly Seeded[], each: number): Seeded[] {
  const groups = Map.groupBy(kept, ({ operator }) => operator.name);
  return [...groups.values()].flatMap((group) => group.slice(0, each));
}

function tableOf(
  operators: readonly Operator[],
  seeded: readonly Seeded[],
  outcomes: readonly Outcome[],
): string {
  return renderTable(
    [
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
    ],
    operators.map((operator) => rowOf(operator, seeded, outcomes)),
  );
}

function rowOf(operator: Operator, seeded: readonly Seeded[], outcomes: readonly Outcome[]): string[] {
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

/** Every scenario that did not come out as it should, so that it can be looked into. */
function describeSurprises(outcomes: readonly Outcome[]): string[] {
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
