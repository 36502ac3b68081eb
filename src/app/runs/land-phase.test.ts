import { expect, test } from 'vitest';
import { configDefaults } from '#config/defaults.ts';
import { createRun } from '#crew/run-plan.ts';
import { nextCommands } from '#crew/state/next-commands.ts';
import { Plan } from '#schema/plan.ts';
import { defaultSettings } from '#schema/run.ts';
import { openBench, task, writes } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { passingGuide } from '#test/support/passing-tests.ts';
import type { AskPerson } from './land-or-ask.ts';
import { landPhase } from './land-phase.ts';

test('Ctrl-C at the question is not an answer: the run is interrupted, and resume asks again', async () => {
  const repo = makeRepo({ 'README.md': 'hello\n', ...passingGuide });
  const bench = await openBench(repo, { attempts: [writes('a', 'a.txt')] });

  const here = {
    env: { ...process.env, JOINERY_STATE_DIR: repo.stateDir, JOINERY_CACHE_DIR: `${repo.stateDir}-cache` },
    terminal: { warn() {}, progress() {} },
    onInterrupt: () => () => {},
  };
  const phases = (ask: AskPerson) => ({
    plan: async () => {},
    land: landPhase(here, { repository: bench.repository, config: configDefaults }, ask),
  });
  const base = repo.git('rev-parse', 'main');
  const plan = Plan.parse({ schema: 'joinery/plan@1', tasks: [task('a')] });
  const run = createRun(bench.workshop, {
    plan,
    target: 'main',
    base,
    baseRef: 'main',
    settings: { ...defaultSettings, land: 'ask' },
  });
  const stop = new AbortController();
  const nobody = () => {
    stop.abort('interrupted');
    return new Promise<boolean>(() => {});
  };
  const cut = await bench.drive(run, { stop: stop.signal, phases: phases(nobody) });
  expect(cut).toMatchObject({ pausedBy: 'interrupted', landed: null, isKept: false });
  expect(nextCommands(run, cut)).toMatchObject([{ command: `joinery resume ${run}` }]);
  expect(repo.git('rev-parse', 'main')).toBe(base);
  const asked: string[] = [];
  const yes = async (question: string) => asked.push(question) > 0;
  const landed = await bench.drive(run, { phases: phases(yes) });
  expect({ status: landed.status, asked }).toEqual({ status: 'done', asked: ['land on main?'] });
  expect(repo.git('rev-parse', 'main')).toBe(landed.landed?.after);
  bench.close();
});
