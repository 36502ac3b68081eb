import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { executable, joinery, type Outcome, temporaryFolder } from '../support/joinery.ts';

const flow = `id: small-flow
name: Small
description: For tests.
version: 1.0.0
steps:
  - { id: look, title: Look, prompt: 'Look at {{goal}}.', produces: [size] }
  - { id: plan, title: Plan, prompt: Plan it., runCondition: { var: size, equals: large }, requireConfirmation: true }
  - type: check
    id: prove
    title: Prove
    check: { kind: command, argv: [node, prove.js], claim: test }
  - { id: report, title: Report, prompt: Report., outputContract: { contractRef: wr.contracts.coding_handoff } }
`;

const handoff = {
  kind: 'wr.coding_handoff',
  version: 1,
  keyDecisions: [],
  knownLimitations: [],
  testsAdded: [],
  filesChanged: [],
};

function place(steps = flow) {
  const repository = new GitRepository();
  repository.commit({ 'prove.js': 'console.log("Tests  3 passed (3)");\n', 'AGENTS.md': '# x\n' });
  mkdirSync(join(repository.dir, '.joinery', 'workflows'), { recursive: true });
  writeFileSync(join(repository.dir, '.joinery', 'workflows', 'small-flow.yaml'), steps);
  const env = {
    JOINERY_STATE_DIR: temporaryFolder(),
    JOINERY_CACHE_DIR: temporaryFolder(),
    JOINERY_CONFIG_DIR: temporaryFolder(),
  };
  const run = (...args: string[]) => joinery(['workflow', ...args], { cwd: repository.dir, env });
  return { repository, env, run };
}

/** The folder of the repository's state. */
function stateOf({ env }: ReturnType<typeof place>): string {
  return readdirSync(env.JOINERY_STATE_DIR)[0] ?? '';
}

function typed(
  lines: readonly string[],
  args: readonly string[],
  at: ReturnType<typeof place>,
): Promise<Outcome> {
  const child = spawn(process.execPath, [executable, 'workflow', ...args], {
    cwd: at.repository.dir,
    env: { ...process.env, NO_COLOR: '1', ...at.env },
  });
  child.stdin.end(`${lines.join('\n')}\n`);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => (stdout += data));
  child.stderr.on('data', (data) => (stderr += data));
  return new Promise((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  );
}

describe('joinery workflow', () => {
  test('lists, shows, validates and draws the workflows', async () => {
    const { run, repository } = place();
    expect((await run('list')).stdout).toMatch(/small-flow .*For tests. \(project\)/);
    expect((await run('show', 'small-flow')).stdout).toContain('if size = "large"');
    expect((await run('validate')).code).toBe(0);
    writeFileSync(
      join(repository.dir, 'bad.json'),
      JSON.stringify({ id: 'bad', steps: [{ id: 'one', titel: 'x' }] }),
    );
    const bad = await run('validate', 'bad.json');
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain(
      'bad.json: steps[0].titel: blocking unknown-field: unknown field "titel"; did you mean "title"?',
    );
    expect((await run('graph', 'small-flow')).stdout).toContain('flowchart TD');
    expect((await run('graph', 'small-flow', '--format', 'svg')).stdout).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    const unknown = await run('show', 'smal-flow');
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      expect.stringContaining('did you mean "small-flow"?'),
    ]);
    expect((await run('lst')).stderr).toContain('did you mean "list"?');
  });

  test('invalid bindings are reported before anything starts', async () => {
    const { repository, run } = place();
    writeFileSync(join(repository.dir, '.joinery', 'workflows', 'bindings.json'), '{"small-flow": ');
    const told = await run('validate', 'small-flow');
    expect([told.code, told.stdout]).toEqual([1, expect.stringContaining('bindings.json')]);
    expect((await run('run', 'small-flow', '--goal', 'g')).code).toBe(3);
  });

  test('new does not overwrite a workflow', async () => {
    const { run } = place();
    expect(await run('new', 'small-flow')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('small-flow.yaml exists already. Next: look at it'),
    });
  });

  test('new writes a workflow that validates and can be started', async () => {
    const { run } = place();
    const made = await run('new', 'my-audit');
    expect(made.stdout).toContain('.joinery/workflows/my-audit.yaml');
    expect((await run('validate', 'my-audit')).stdout).toBe('1 workflow, no problem\n');
    expect((await run('new', 'my-audit')).code).toBe(3);
    expect((await run('run', 'my-audit', '--goal', 'x')).code).toBe(2);
  });

  test('a person follows one on the terminal; Joinery runs the check itself', async () => {
    const at = place();
    const lines = [
      '{"notes":"small","context":{"size":"small"}}',
      'talking',
      '.',
      JSON.stringify({ artifacts: [handoff] }),
    ];
    const { code, stdout } = await typed(lines, ['run', 'small-flow', '--goal', 'the thing'], at);
    expect(stdout).toContain('Look at the thing.');
    expect(stdout).toContain('is complete');
    expect(code).toBe(0);
    const runs = await at.run('runs', '--json');
    const [{ run: id }] = JSON.parse(runs.stdout).runs;
    const status = JSON.parse((await at.run('status', id, '--json')).stdout);
    expect(status.nodes.find((node: { check: unknown }) => node.check)).toMatchObject({
      check: { status: 'pass', evidence: [expect.any(String)] },
    });
    expect((await at.run('status', id)).stdout).toContain('skipped plan');
    const open = JSON.parse((await at.run('run', 'small-flow', '--goal', 'still open', '--json')).stdout);
    expect((await at.run('prune', '--older-than', '1', '--yes')).stdout).toContain('nothing to remove');
    expect((await at.run('prune', '--older-than', '0', '--yes')).stdout).toContain(id);
    const left = JSON.parse((await at.run('runs', '--json')).stdout).runs;
    expect(left.map(({ run }: { run: string }) => run)).toEqual([open.sessionId]);
    expect((await at.run('status', id)).code).toBe(3);
    expect((await at.run('resume', open.sessionId, '--json')).code).toBe(2);
    const log = new DatabaseSync(join(at.env.JOINERY_STATE_DIR, stateOf(at), 'runs.db'));
    const kept = log.prepare('SELECT DISTINCT run FROM journal').all();
    log.close();
    expect(kept.map(({ run }) => run)).toEqual([open.sessionId]);
  });

  test('typed input: text up to the end of input is submitted, JSON of another form is not', async () => {
    const at = place();
    const wrong = ['{"notes":5,"artifacts":"x"}', '{"note":"x"}', '{x} is how it looks', 'and no more'];
    const { code, stdout, stderr } = await typed(wrong, ['run', 'small-flow', '--goal', 'the goal'], at);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/JSON was not taken: notes: .*\n.*JSON was not taken: .*"note"/),
    });
    // The text was submitted and refused for what it lacks; the step is not shown a third time.
    expect(stdout.match(/not accepted: .*variable size/g)).toHaveLength(1);
    expect(stdout.match(/Look at the goal/g)).toHaveLength(2);
    const token = /workflow continue (\S+)/.exec(stdout)?.[1] ?? '';
    for (const artifact of ['5', 'null', '[{"kind":"x"},1]'])
      expect((await at.run('continue', token, '--artifact', artifact)).stderr).toContain(
        '--artifact is no JSON object',
      );
  });

  test('a scripted agent follows one, stops at the gate and continues after approval', async () => {
    const at = place();
    const say = (task: string, given: object, n?: number) => ({
      task,
      ...(n ? { n } : {}),
      do: [{ handoff: given }],
    });
    writeFileSync(
      join(at.repository.dir, 'scenario.json'),
      JSON.stringify({
        schema: 'joinery/scenario@1',
        attempts: [
          say('look', { notes: 'large', context: { size: 'large' } }),
          say('plan', { notes: 'the plan' }),
          say(
            'plan-gate',
            {
              artifacts: [
                {
                  kind: 'wr.gate_verdict',
                  version: 1,
                  verdict: 'rejected',
                  confidence: 'high',
                  rationale: 'it names no test at all, add one',
                },
              ],
            },
            1,
          ),
          say(
            'plan-gate',
            {
              artifacts: [
                {
                  kind: 'wr.gate_verdict',
                  version: 1,
                  verdict: 'uncertain',
                  confidence: 'low',
                  rationale: 'a person should look at this',
                },
              ],
            },
            2,
          ),
          say('report', {}, 1),
          say('report', { artifacts: [handoff] }, 2),
        ],
      }),
    );
    const agent = ['--agent', 'scripted', '--scenario', 'scenario.json'];
    const parked = await at.run('run', 'small-flow', '--goal', 'g', ...agent);
    expect(parked.stderr).toContain('gate at plan');
    expect([parked.code, parked.stdout]).toEqual([
      2,
      expect.stringContaining('waits at the gate of plan: a person should look at this'),
    ]);
    const id = /wf-\w+/.exec(parked.stdout)?.[0] ?? '';
    const done = await at.run('gate', id, 'approve', ...agent);
    expect(done.stderr).toContain('not accepted: no artifact was handed in');
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('is complete')]);
  });

  test('checks look at what was written, committed or not, and those of a delegate at its own worktree', async () => {
    const at = place(`id: small-flow
name: Small
description: D.
version: 1.0.0
steps:
  - type: parallel
    id: apart
    title: Apart
    parallelDelegations:
      - { workflowId: helper-flow, goal: g, mode: edit }
  - { type: check, id: fits, title: Fits, check: { kind: check, base: renamed } }
`);
    const { repository, run } = at;
    repository.commit({ 'user.ts': 'export interface User {\n  email: string;\n}\n' });
    repository.branch('renamed', { 'user.ts': 'export interface User {\n  mail: string;\n}\n' });
    const argv = JSON.stringify([
      process.execPath,
      '-e',
      "console.log(require('node:fs').readFileSync('own.txt', 'utf8'))",
    ]);
    writeFileSync(
      join(repository.dir, '.joinery', 'workflows', 'helper-flow.yaml'),
      `id: helper-flow\nname: H\ndescription: D.\nversion: 1.0.0\nsteps:\n  - { id: help, title: Help, prompt: Help. }\n  - { type: check, id: there, title: There, check: { kind: command, argv: ${argv}, claim: build } }\n`,
    );
    writeFileSync(
      join(repository.dir, 'use.ts'),
      "import type { User } from './user.ts';\nexport const to = (user: User) => user.email;\n",
    );
    const attempts = [
      {
        task: 'help',
        do: [{ write: { path: 'own.txt', content: 'x\n' } }, { handoff: { notes: 'help done' } }],
      },
    ];
    writeFileSync(
      join(repository.dir, 'scenario.json'),
      JSON.stringify({ schema: 'joinery/scenario@1', attempts }),
    );
    const args = ['--goal', 'g', '--agent', 'scripted', '--scenario', 'scenario.json'];
    const { stderr } = await run('run', 'small-flow', ...args);
    expect(stderr).not.toContain('did not finish');
    expect(stderr).toContain('not accepted: ');
    expect(stderr).toContain('email');
    const { runs } = JSON.parse((await run('runs', '--json')).stdout);
    const states = runs.map(({ workflow, status }: Record<string, string>) => [workflow, status]).sort();
    expect(states).toEqual([
      ['helper-flow', 'done'],
      ['small-flow', expect.not.stringMatching('done')],
    ]);
  });

  test('delegates are separate runs, and their results are returned', async () => {
    const at = place(`id: small-flow
name: Small
description: For tests.
version: 1.0.0
steps:
  - { id: begin, title: Begin, prompt: Begin. }
  - type: parallel
    id: both
    title: Both
    parallelDelegations:
      - { workflowId: helper-flow, goal: 'first of {{goal}}', contextMapping: { secret: part } }
      - { workflowId: helper-flow, goal: second, isolation: blind, mode: edit }
      - { workflowId: helper-flow, goal: never, runCondition: { var: no } }
  - { id: finish, title: Finish, prompt: Finish. }
`);
    writeFileSync(
      join(at.repository.dir, '.joinery', 'workflows', 'helper-flow.yaml'),
      "id: helper-flow\nname: H\ndescription: D.\nversion: 1.0.0\nsteps:\n  - { id: help, title: Help, prompt: 'Help with {{goal}} {{part}}' }\n",
    );
    const scenario = {
      schema: 'joinery/scenario@1',
      attempts: ['begin', 'finish', 'help'].map((task) => ({
        task,
        do: [{ handoff: { notes: `${task} done`, context: { secret: 's' } } }],
      })),
    };
    writeFileSync(join(at.repository.dir, 'scenario.json'), JSON.stringify(scenario));
    const { code, stderr } = await at.run(
      'run',
      'small-flow',
      '--goal',
      'g',
      '--agent',
      'scripted',
      '--scenario',
      'scenario.json',
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining('helper-flow: help: Help')]);
    const { runs } = JSON.parse((await at.run('runs', '--json')).stdout);
    expect(
      runs.map(({ workflow, goal, status }: Record<string, string>) => [workflow, goal, status]).sort(),
    ).toEqual([
      ['helper-flow', 'first of g', 'done'],
      ['helper-flow', 'second', 'done'],
      ['small-flow', 'g', 'done'],
    ]);
    const parent = runs.find(({ workflow }: Record<string, string>) => workflow === 'small-flow').run;
    const status = JSON.parse((await at.run('status', parent, '--json')).stdout);
    expect(status.children).toHaveLength(2);
    expect(status.nodes.at(-2).notes).toContain('help done');
  });

  test('a run is exported, imported elsewhere, forked, found and pruned', async () => {
    const at = place();
    const start = JSON.parse((await at.run('run', 'small-flow', '--goal', 'needle in hay', '--json')).stdout);
    const next = JSON.parse(
      (
        await at.run(
          'continue',
          start.continueToken,
          '--notes',
          'n',
          '--context',
          '{"size":"large"}',
          '--json',
        )
      ).stdout,
    );
    expect(next.pending.stepId).toBe('plan');
    expect((await at.run('continue', start.continueToken, '--notes', 'other', '--json')).stdout).toBe(
      `${JSON.stringify(next, null, 2)}\n`,
    );
    const file = join(at.repository.dir, 'bundle.json');
    expect((await at.run('export', start.sessionId, '-o', file)).code).toBe(0);
    const elsewhere = place();
    const imported = await elsewhere.run('import', file);
    expect(imported.stdout).toContain(start.sessionId);
    const back = JSON.parse((await elsewhere.run('resume', start.sessionId, '--json')).stdout);
    expect(back.pending.stepId).toBe('plan');
    const fork = JSON.parse(
      (await elsewhere.run('fork', start.sessionId, '--node', start.nodeId, '--json')).stdout,
    );
    expect(fork.pending.stepId).toBe('look');
    expect((await elsewhere.run('resume', 'needle', 'hay')).stdout).toContain(
      'has every word'.replace('has', 'have'),
    );
    writeFileSync(file, readFileSync(file, 'utf8').replace('needle', 'noodle'));
    expect((await elsewhere.run('import', file)).stderr).toContain('was changed');
    expect((await elsewhere.run('prune', '--older-than', '0', '--yes')).stdout).toContain(
      'nothing to remove',
    );
  });
});
