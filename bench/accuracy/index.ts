import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ruleById } from '../../src/model/rules.ts';
import type { BenchOptions, Part } from '../part.ts';
import { percent, renderTable } from '../table.ts';
import { operators } from './operators/index.ts';
import { openProject, projectPlans } from './project.ts';
import { isExactSet, type Outcome, score } from './score.ts';
import { type Seeded, sow } from './seed.ts';
import { specificity } from './specificity.ts';

export const accuracy: Part = {
  name: 'accuracy',
  summary: 'seeded conflicts that a type checker confirms, their benign twins, and real histories',
  run: runAccuracy,
};

async function runAccuracy({ full, seed }: BenchOptions): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'joinery-accuracy-'));
  const outcomes: Outcome[] = [];
  const seeded: Seeded[] = [];
  try {
    for (const plan of projectPlans) {
      const project = await openProject(plan);
      const dir = join(folder, project.name.replace('/', '+'));
      const sown = await sow(project, operators, full ? 9 : 2, seed, dir);
      seeded.push(...sown.seeded);
      outcomes.push(...(await score(sown, join(folder, 'cache'))));
      rmSync(dir, { recursive: true, force: true });
    }
    return [
      `seed ${seed}; projects: ${projectPlans.map(({ package: name, version }) => `${name} ${version}`).join(', ')}; --confirm none`,
      renderTable(
        ['rule', 'drawn', 'kept', 'recall', 'same rule', 'precision', 'twin alarms', 'exact set', 'owner B'],
        operators.map((operator) => rowOf(operator.rule, operator.name, seeded, outcomes)),
      ),
      '',
      ...describeMisses(outcomes),
      '',
      await specificity(join(folder, 'cache'), full),
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowOf(
  rule: string,
  name: string,
  seeded: readonly Seeded[],
  outcomes: readonly Outcome[],
): readonly string[] {
  const own = outcomes.filter((outcome) => outcome.seeded.operator.name === name);
  const found = own.flatMap(({ match, seeded: entry }) => (match ? [{ match, entry }] : []));
  const all = own.flatMap(({ findings }) => findings);
  const matching = own.reduce((sum, { match }) => sum + (match ? 1 : 0), 0);
  const share = (count: number, of: number) => (of === 0 ? '–' : percent(count / of));
  return [
    `${rule} ${ruleById(rule).name} (${name})`,
    String(seeded.filter(({ operator }) => operator.name === name).length),
    String(own.length),
    share(matching, own.length),
    share(found.filter(({ match }) => match.rule === rule).length, found.length),
    share(matching, all.length),
    `${own.filter(({ onTwin }) => onTwin.length > 0).length} of ${own.length}`,
    share(found.filter(({ match, entry }) => isExactSet(match, entry)).length, found.length),
    share(found.filter(({ match, entry }) => match.owner === entry.conflict[2]).length, found.length),
  ];
}

/** Every scenario that did not come out as it should, so that it can be looked into. */
function describeMisses(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap(({ seeded, findings, match, onTwin }) => {
    const where = `${seeded.operator.rule} ${seeded.project} ${seeded.candidate.symbol}`;
    const extra = findings.filter((finding) => finding !== match);
    return [
      ...(match === null ? [`missed: ${where} (${seeded.operator.name})`] : []),
      ...(match && match.rule !== seeded.operator.rule
        ? [`other rule: ${where}: ${match.rule} ${match.message}`]
        : []),
      ...extra.map(({ rule, message }) => `beside it: ${where}: ${rule} ${message}`),
      ...onTwin.map(({ rule, message }) => `on the twin: ${where}: ${rule} ${message}`),
    ];
  });
}
