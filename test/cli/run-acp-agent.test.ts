import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CostReport } from '#schema/cost-report.ts';
import { RunReport } from '#schema/run.ts';
import type { AcpScript } from '../support/acp-agent.ts';
import { task } from '../support/engine-bench.ts';
import { makeRepo } from '../support/engine-repo.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const agent = fileURLToPath(new URL('../support/acp-agent.ts', import.meta.url));

const session = { models: { currentModelId: 'gpt-4.1', availableModels: [{ modelId: 'gpt-5' }] } };

/** A project that defines its own agent, and a plan with one task. */
function project(script: AcpScript) {
  const config = {
    agents: {
      mine: {
        command: process.execPath,
        acp: [agent, JSON.stringify({ session, ...script })],
        models: { standard: 'gpt-5' },
      },
    },
  };
  const repo = makeRepo({ 'README.md': 'hello\n', 'joinery.json': JSON.stringify(config) });
  const plan = join(repo.stateDir, '..', 'plan.json');
  writeFileSync(plan, JSON.stringify({ schema: 'joinery/plan@1', tasks: [task('a', { files: ['a.txt'] })] }));
  const call = (...args: string[]) =>
    joinery([...args, '--json'], { cwd: repo.dir, env: { JOINERY_STATE_DIR: repo.stateDir } });
  return { ...repo, call, run: (name = 'mine') => call('run', '--no-land', '--plan', plan, '--agent', name) };
}

describe('an agent that only the project defines', () => {
  test('does a task through ACP, and its tokens are priced by its model', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0, totalTokens: 1_000_000 };
    const { run, call, git } = project({
      prompts: [[{ write: 'a.txt' }, { handoff: ['a.txt'] }, { stop: 'end_turn', usage }]],
    });
    const { code, stdout } = await run();
    const report = RunReport.parse(JSON.parse(stdout));
    expect({ code, status: report.status }).toEqual({ code: 0, status: 'done' });
    expect(git('show', `${report.integration.branch}:a.txt`)).toContain('written by the agent');
    expect(CostReport.parse(JSON.parse((await call('cost')).stdout))).toMatchObject({
      total: { tokens: 1_000_000, usd: 1.25, turns: 2, unpriced: 0 },
      models: [{ model: 'gpt-5' }],
      tasks: [{ attempts: [{ driver: 'mine', model: 'gpt-5', outcome: 'ok' }] }],
    });
  });

  test('that claims success without a change has not succeeded', async () => {
    const { run } = project({ prompts: [[{ say: 'All is done, trust me.' }, { handoff: ['a.txt'] }]] });
    const { code, stdout } = await run();
    expect(code).not.toBe(0);
    expect(RunReport.parse(JSON.parse(stdout)).tasks).toMatchObject([
      { status: 'escalated', reason: expect.stringContaining('nothing was changed') },
    ]);
  });

  test('that is not installed is reported before anything starts', async () => {
    const { call, run } = project({});
    const { code, stdout } = await run('nobody');
    expect({ code, error: JSON.parse(stdout).error }).toMatchObject({
      code: 3,
      error: { code: 'unknown-agent', hint: expect.stringContaining('gemini') },
    });
    expect(JSON.parse((await call('runs')).stdout).runs).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'whose guard is killed once works again, and no attempt is used up',
    async () => {
      const once = join(temporaryFolder(), 'once');
      writeFileSync(once, '');
      const { run, call } = project({
        prompts: [[{ killGuard: once }, { write: 'a.txt' }, { handoff: ['a.txt'] }, { stop: 'end_turn' }]],
      });
      const { code, stdout } = await run();
      const report = RunReport.parse(JSON.parse(stdout));
      expect({ code, status: report.status }).toEqual({ code: 0, status: 'done' });
      const { tasks } = CostReport.parse(JSON.parse((await call('cost')).stdout));
      expect(tasks[0]?.attempts.map(({ outcome }) => outcome)).toEqual(['interrupted', 'ok']);
    },
  );

  test.runIf(process.platform === 'linux')(
    'whose guard is killed each time stops the run: its work cannot be judged here',
    async () => {
      const { run, call } = project({ prompts: [[{ killGuard: null }]] });
      const { code, stdout, stderr } = await run();
      expect({ code, error: JSON.parse(stdout).error?.code }, stderr).toEqual({
        code: 5,
        error: 'guard-killed',
      });
      const { tasks } = CostReport.parse(JSON.parse((await call('cost')).stdout));
      expect(tasks[0]?.attempts.map(({ outcome }) => outcome)).toEqual(['interrupted', null]);
    },
  );
});
