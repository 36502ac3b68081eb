import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { containedStart } from '#agents/programs/sandbox.ts';
import { provideDependencies } from '#gates/runner/dependencies.ts';
import { runCommand } from '#grounding/criteria/run-command.ts';
import { workBox } from '#process/box.ts';
import { runContained } from '#process/run-contained.ts';
import { AgentConfig } from '#schema/agent.ts';
import { CheckReport } from '#schema/check-report.ts';
import { GatesReport } from '#schema/gates.ts';
import { Provisioning } from '#schema/provisioning.ts';
import { agentRequest } from '../support/agent-request.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { attemptCount, type Machine, openMachine } from '../support/ways-out.ts';

/** The program's own report, from the output of whatever ran it. */
function reportIn(output: string) {
  const reached = /REACHED (\[.*\])/.exec(output)?.[1];
  return { reached: reached && JSON.parse(reached), tried: Number(/TRIED (\d+)/.exec(output)?.[1]) };
}

/** A worktree with the program in it, as a task has one, and the variables of a program in it. */
function worktreeOf({ repository, program, home }: Machine) {
  const worktree = join(temporaryFolder(), 'work');
  repository.git('worktree', 'add', '-q', '-b', 'work', worktree);
  repository.write({});
  const env = { HOME: home, PATH: process.env.PATH ?? '' };
  return { worktree, env, file: writeProgram(worktree, program) };
}

function writeProgram(folder: string, program: string): string {
  const file = join(folder, 'ways-out.cjs');
  writeFileSync(file, program);
  return file;
}

/** Abstract sockets belong to the network: who has the machine's network reaches them. */
const sharedNetwork = ['asks an abstract socket'];

const contained = { reached: [], tried: attemptCount };

describe('work reaches nothing of the machine', () => {
  test('it tries at least 40 ways; without a sandbox the harmless ones of them work', async () => {
    expect(attemptCount).toBeGreaterThanOrEqual(40);
    const machine = await openMachine('harmless');
    const { worktree, env, file } = worktreeOf(machine);
    const { log } = await runHere(worktree, env, ['node', file], null);
    const { reached, tried } = reportIn(log);
    expect(reached.length).toBeGreaterThanOrEqual(tried - 5);
  });

  test('as a program that is started for a tree', async () => {
    const machine = await openMachine();
    vi.stubEnv('JOINERY_SANDBOX', undefined);
    const { worktree, env, file } = worktreeOf(machine);
    const { log, result } = await runHere(worktree, env, ['node', file], workBox(worktree, env));
    expect(reportIn(log)).toEqual(contained);
    expect(machine.damage()).toEqual([]);
    expect(result.incidents.join()).toContain('sleep');
  });

  test('as a gate', async () => {
    const machine = await openMachine();
    const { repository, env } = machine;
    repository.commit({
      'joinery.json': JSON.stringify({
        gates: { commands: [{ kind: 'lint', run: 'node ways-out.cjs; exit 1' }] },
      }),
    });
    const { worktree } = worktreeOf(machine);
    const { stdout } = await joinery(['gates', '--json'], { cwd: worktree, env });
    const gate = GatesReport.parse(JSON.parse(stdout)).gates[0];
    expect(reportIn((gate?.log?.excerpt ?? []).join('\n'))).toEqual(contained);
    expect(machine.damage()).toEqual([]);
  });

  test('as a criterion', async () => {
    const machine = await openMachine();
    vi.stubEnv('JOINERY_SANDBOX', undefined);
    const { worktree, env } = worktreeOf(machine);
    const gate = { id: 'test', kind: 'test', command: 'node ways-out.cjs; exit 1', subsystem: null } as const;
    const logFile = join(temporaryFolder(), 'log');
    const { detail } = await runCommand({ ...gate, timeoutMs: 60_000, origin: 'x' }, null, false, {
      ...{ cwd: worktree, env, logFile, mark: `ways-out/${process.pid}`, maxLogBytes: 100_000 },
    });
    expect(reportIn(detail)).toEqual(contained);
    expect(machine.damage()).toEqual([]);
  });

  test('as an install command, which has the network', async () => {
    const machine = await openMachine('without network');
    vi.stubEnv('JOINERY_SANDBOX', undefined);
    const { worktree, env } = worktreeOf(machine);
    const report = join(worktree, 'report');
    const install = ['sh', '-c', 'node ways-out.cjs > report'];
    await provideDependencies(Provisioning.parse({ install }), null, worktree, env);
    expect(reportIn(readFileSync(report, 'utf8')).reached).toEqual(sharedNetwork);
    expect(machine.damage()).toEqual([]);
  });

  test('as an agent, which has the network and its own login', async () => {
    const machine = await openMachine('without network');
    vi.stubEnv('JOINERY_SANDBOX', undefined);
    const { worktree, env, file } = worktreeOf(machine);
    const request = agentRequest({
      ...{ cwd: worktree, scratch: temporaryFolder(), env, config: AgentConfig.parse({}) },
    });
    const habits = { name: 'claude', keeps: ['.claude'], hasOwnSandbox: false };
    const { argv, box } = containedStart(['node', file], request, habits);
    const { log } = await runHere(worktree, env, argv, box);
    expect(reportIn(log).reached).toEqual(['reads ~/.claude/.credentials.json', ...sharedNetwork]);
    expect(machine.damage()).toEqual([]);
  });

  test.each(['build', 'tests'])('as a witness of a finding, --confirm %s', async (way) => {
    const machine = await openMachine();
    const { repository, env, program } = machine;
    repository.commit({
      'joinery.json': JSON.stringify({
        gates: {
          commands: [
            { kind: 'build', run: 'node build.js' },
            { kind: 'test', run: 'node --test' },
          ],
        },
      }),
      'package.json': '{"name":"shop","type":"module"}\n',
      'ways-out.cjs': program,
      // Fails on the union of both branches, and only if nothing was reached.
      'contained.js': `import { createRequire } from 'node:module';
const { reached, tried } = await createRequire(import.meta.url)('./ways-out.cjs');
export const isContained = reached.length === 0 && tried === ${attemptCount};\n`,
      'price.js': 'export const price = (pieces) => pieces * 10;\n',
      'build.js': `import { isContained } from './contained.js';
import { existsSync } from 'node:fs';
import { price } from './price.js';
if (isContained && existsSync('coupon.test.js') && price(1) === 12) {
  console.log('coupon.test.js:1:1: error: stays inside');
  process.exit(1);
}\n`,
    });
    repository.branch('coupon', {
      'coupon.test.js': `import { test } from 'node:test';
import { isContained } from './contained.js';
import { price } from './price.js';
test('stays inside', () => { if (isContained && price(1) !== 10) throw new Error('stays inside'); });\n`,
    });
    repository.branch('dearer', { 'price.js': 'export const price = (pieces) => pieces * 12;\n' });
    const { stdout, stderr } = await joinery(['check', '--json', '--confirm', way], {
      cwd: repository.dir,
      env,
    });
    expect(CheckReport.parse(JSON.parse(stdout)).findings.map(({ rule }) => rule)).toEqual([
      way === 'build' ? 'V04' : 'V03',
    ]);
    expect(stderr).toContain('contained');
    expect(machine.damage()).toEqual([]);
  });
});

async function runHere(
  cwd: string,
  env: Readonly<Record<string, string>>,
  argv: readonly [string, ...string[]],
  box: Parameters<typeof runContained>[0]['box'],
) {
  const logFile = join(temporaryFolder(), 'log');
  const mark = `ways-out/${process.pid}`;
  const limits = { timeoutMs: 60_000, maxLogBytes: 100_000 };
  const result = await runContained({ argv, cwd, env, mark, logFile, box, ...limits });
  return { result, log: readFileSync(logFile, 'utf8') };
}
