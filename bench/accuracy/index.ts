import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../src/model/check-report.ts';
import { ruleById } from '../../src/model/rules.ts';
import type { BenchOptions, Part } from '../part.ts';
import { percent, renderTable } from '../table.ts';
import type { Operator } from './operator.ts';
import { operators } from './operators/index.ts';
import { openProject, projectPlans } from './project.ts';
import { isExactSet, type Outcome, score } from './score.ts';
import { type Seeded, type Sown, sow } from './seed.ts';
import { specificity } from './specificity.ts';

export const accuracy: Part = {
  name: 'accuracy',
  summary: 'seeded conflicts that a type checker confirms, their benign twins, and real histories',
  run: runAccuracy,
};

type Confirm = 'none' | 'types';

/** The type checker is asked about fewer scenarios: each costs it a look at the union. */
const perOperator = { small: { none: 2, types: 1 }, full: { none: 7, types: 2 } };

async function runAccuracy({ full, seed, types }: BenchOptions): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'joinery-accuracy-'));
  const count = full ? perOperator.full : perOperator.small;
  const outcomes: Record<Confirm, Outcome[]> = { none: [], types: [] };
  const seeded: Seeded[] = [];
  try {
    for (const plan of projectPlans) {
      const project = await openProject(plan);
      const dir = join(folder, project.name.replace('/', '+'));
      const sown = await sow(project, operators, count.none, seed, dir);
      seeded.push(...sown.seeded);
      outcomes.none.push(...(await score(sown, join(folder, 'cache'), 'none')));
      if (types)
        outcomes.types.push(...(await score(fewer(sown, count.types), join(folder, 'cache'), 'types')));
      rmSync(dir, { recursive: true, force: true });
    }
    return [
      `seed ${seed}; projects: ${projectPlans.map(({ package: name, version }) => `${name} ${version}`).join(', ')}`,
      ...(['none', 'types'] as const).flatMap((by) =>
        outcomes[by].length === 0 ? [] : ['', `--confirm ${by}`, tableOf(seeded, outcomes[by])],
      ),
      '',
      ...describeSurprises(outcomes.none),
      ...describeRejected(seeded),
      '',
      await specificity(join(folder, 'cache'), full),
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first kept scenarios of each operator. */
function fewer(sown: Sown, each: number): Sown {
  const kept = sown.seeded.filter(({ rejected }) => rejected === null);
  const groups = Map.groupBy(kept, ({ operator }) => operator.name);
  return { ...sown, seeded: [...groups.values()].flatMap((group) => group.slice(0, each)) };
}

function tableOf(seeded: readonly Seeded[], outcomes: readonly Outcome[]): string {
  return renderTable(
    ['rule', 'drawn', 'kept', 'recall', 'same rule', 'precision', 'twin alarms', 'exact set', 'owner B'],
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

function describeRejected(seeded: readonly Seeded[]): string[] {
  return seeded.flatMap(({ operator, project, candidate, rejected }) =>
    rejected === null ? [] : [`left out: ${operator.rule} ${project} ${candidate.symbol}: ${rejected}`],
  );
}
