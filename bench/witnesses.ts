import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckReport } from '#schema/check-report.ts';
import {
  modulesFolder,
  type Planted,
  plantedPairs,
  type Runner,
  runners,
} from '#test/support/behaviour/planted.ts';
import { buildRepository } from '#test/support/scenario/build-repository.ts';
import type { Fork } from '#test/support/scenario/scenario.ts';
import { publishedCommand } from './built.ts';
import { runMeasured } from './measure.ts';
import type { BenchOptions, Part } from './part.ts';
import { Random } from './random.ts';
import { judge, median, percent, renderTable, seconds } from './table.ts';

export const witnesses: Part = {
  name: 'witnesses',
  summary:
    'two branches, green alone and red together, and as many that fit: what check --confirm tests finds',
  run: runWitnesses,
};

interface Answer {
  readonly pair: Planted;
  /** A blocking finding of both branches. */
  readonly isFound: boolean;
  /** Findings of tests, of any severity and any branches. */
  readonly alarms: number;
  readonly isUndecided: boolean;
  readonly cpuMs: number;
}

/** Pairs of each kind and runner in a small run. */
const few = 4;

async function runWitnesses({ full, seed }: BenchOptions): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'joinery-bench-'));
  try {
    const rows: string[][] = [];
    const all: Answer[] = [];
    for (const runner of runners) {
      const answers = await ask(runner, full, seed, join(root, runner.replace(':', '-')));
      all.push(...answers);
      rows.push(rowOf(runner, answers));
      console.error(rows.at(-1)?.join(' '));
    }
    rows.push(rowOf('all', all));
    const head = [
      'runner',
      'conflicts',
      'found',
      'recall',
      'benign',
      'alarms',
      'precision',
      'undecided',
      'CPU, median',
      'verdict',
    ];
    const wrong = all.filter(({ pair, isFound, alarms }) => (pair.isConflict ? !isFound : alarms > 0));
    return [renderTable(head, rows), ...wrong.map(({ pair }) => `wrong: ${pair.name}`)].join('\n');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function ask(runner: Runner, full: boolean, seed: number, dir: string): Promise<Answer[]> {
  const planted = plantedPairs(runner);
  const drawn = (isConflict: boolean) => {
    const kind = planted.filter((pair) => pair.isConflict === isConflict);
    return full ? kind : new Random(seed).shuffled(kind).slice(0, few);
  };
  const pairs = [...drawn(true), ...drawn(false)];
  await buildRepository(pairs.map(forkOf), dir);
  symlinkSync(modulesFolder, join(dir, 'node_modules'));
  const answers: Answer[] = [];
  for (const [index, pair] of pairs.entries()) {
    const [main, feature, change] = ['main', 'feature', 'change'].map((name) => `${index}/${name}`) as [
      string,
      string,
      string,
    ];
    const cost = await runMeasured(
      process.execPath,
      [publishedCommand(), 'check', '--json', '--confirm', 'tests', main, feature, change],
      {
        cwd: dir,
        env: { JOINERY_CACHE_DIR: join(dir, '.git', 'cache'), JOINERY_STATE_DIR: join(dir, '.git', 'cache') },
      },
    );
    const { findings, inconclusive } = CheckReport.parse(JSON.parse(cost.stdout));
    const shown = findings.filter(({ rule }) => rule === 'V03');
    const isExact = ({ branches, severity }: (typeof shown)[number]) =>
      severity === 'blocking' && branches.join(' ') === [change, feature].join(' ');
    answers.push({
      pair,
      isFound: shown.some(isExact),
      alarms: pair.isConflict ? shown.filter((each) => !isExact(each)).length : shown.length,
      isUndecided: inconclusive.length > 0,
      cpuMs: cost.cpuMs,
    });
  }
  return answers;
}

function forkOf({ base, branches }: Planted): Fork {
  const bytes = (files: Planted['base']) =>
    new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text ?? '')]));
  return {
    base: bytes(base),
    branches: Object.entries(branches).map(([name, files]) => ({ name, changes: bytes(files) })),
    main: null,
  };
}

function rowOf(name: string, answers: readonly Answer[]): string[] {
  const conflicts = answers.filter(({ pair }) => pair.isConflict);
  const found = conflicts.filter(({ isFound }) => isFound).length;
  const alarms = answers.reduce((sum, each) => sum + each.alarms, 0);
  const recall = found / conflicts.length;
  const precision = found / (found + alarms);
  return [
    name,
    String(conflicts.length),
    String(found),
    percent(recall),
    String(answers.length - conflicts.length),
    String(alarms),
    percent(precision),
    String(answers.filter(({ isUndecided }) => isUndecided).length),
    seconds(median(answers.map(({ cpuMs }) => cpuMs))),
    judge(recall >= 0.95 && precision >= 0.99),
  ];
}
