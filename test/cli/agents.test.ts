import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { AgentsReport, TryReport } from '#schema/agents-report.ts';
import type { AcpAction } from '../support/acp-agent.ts';
import { makeRepo } from '../support/engine-repo.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const acpAgent = fileURLToPath(new URL('../support/acp-agent.ts', import.meta.url));

/** A machine with only Node, git and what a test puts on its PATH. */
function machine(config: object = {}) {
  const repo = makeRepo({ 'joinery.json': JSON.stringify(config) });
  const bin = join(temporaryFolder(), 'bin');
  const tmp = temporaryFolder();
  mkdirSync(bin);
  const env = {
    PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    JOINERY_CACHE_DIR: temporaryFolder(),
    TMPDIR: tmp,
  };
  const callIn =
    (more: Record<string, string>) =>
    (...args: string[]) =>
      joinery(['agents', ...args], { cwd: repo.dir, env: { ...env, ...more } });
  return {
    tmp,
    dir: repo.dir,
    call: Object.assign(callIn({}), { in: callIn }),
    program(name: string, script: string) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    },
  };
}

const session = { models: { currentModelId: 'gpt-4.1', availableModels: [{ modelId: 'gpt-5' }] } };
const doing = (...actions: AcpAction[]) => ({
  agents: {
    mine: { command: process.execPath, acp: [acpAgent, JSON.stringify({ session, prompts: [actions] })] },
  },
});

describe('joinery agents', () => {
  test('runs nothing that came with the repository', async () => {
    const { call, dir } = machine({ agents: { claude: { command: './tool' } } });
    writeFileSync(join(dir, 'tool'), '#!/bin/sh\ntouch ran\necho 2.1.325\n');
    chmodSync(join(dir, 'tool'), 0o755);
    const { agents } = AgentsReport.parse(JSON.parse((await call('--json')).stdout));
    const claude = agents.find(({ name }) => name === 'claude');
    expect(claude).toMatchObject({ status: 'untested', version: null, program: join(dir, 'tool') });
    expect(existsSync(join(dir, 'ran'))).toBe(false);
    expect((await call.in({ COLUMNS: '200' })()).stdout).toContain('joinery agents try claude');
  });

  test('lists what is installed, in which version, and how to get the rest', async () => {
    const { call, program } = machine(doing());
    program('claude', 'echo "9.9.9 (Claude Code)"');
    program('gemini', 'echo 0.61.0');
    program('copilot', 'echo 1.0.102');
    const { code, stdout } = await call('--json');
    expect(code).toBe(0);
    const { agents } = AgentsReport.parse(JSON.parse(stdout));
    const named = (name: string) => agents.find((agent) => agent.name === name);
    expect(named('claude')).toMatchObject({ status: 'untested', version: '9.9.9', tested: '2.1.325' });
    expect(named('gemini')).toMatchObject({ status: 'ready', version: '0.61.0', protocol: 'acp' });
    expect(named('copilot')).toMatchObject({ status: 'untested', version: '1.0.102', tested: null });
    expect(named('codex')).toMatchObject({
      status: 'missing',
      program: null,
      install: expect.stringMatching(/^npm install --global @openai\/codex@\d/),
    });
    expect(named('mine')).toMatchObject({ status: 'ready', program: process.execPath });
    expect(named('scripted')).toMatchObject({ status: 'ready', protocol: 'built-in' });
    const text = (await call.in({ COLUMNS: '200' })()).stdout;
    expect(text).toMatch(/^missing +codex/m);
    const abilities = (name: string) =>
      text.split('\n')[text.split('\n').findIndex((row) => row.includes(` ${name} `)) + 1];
    expect(abilities('gemini')).toContain('tokens at the end (until then only time and turns bind)');
    expect(abilities('claude')).toContain('tokens each answer,');
    expect(text).toContain('→ our tests do not run it: joinery agents try copilot');
    expect(text).toContain('→ tested with 2.1.325: npm install --global @anthropic-ai/claude-code@2.1.325');
  });

  test('fits into a narrow terminal', async () => {
    const { call, program } = machine();
    program('gemini', 'echo 0.61.0');
    const { stdout } = await call.in({ COLUMNS: '50' })();
    const wide = stdout.split('\n').filter((line) => line.length > 50 && / \S.* /.test(line.trim()));
    expect(wide).toEqual([]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'tokens at the end (until then only time and turns bind)',
    );
  });

  test('does not wait for a program that does not answer', async () => {
    const { call, program } = machine();
    program('codex', 'exec sleep 1000');
    const began = performance.now();
    const { stdout } = await call('--json');
    expect(performance.now() - began).toBeLessThan(20_000);
    const { agents } = AgentsReport.parse(JSON.parse(stdout));
    expect(agents.find(({ name }) => name === 'codex')).toMatchObject({ status: 'untested', version: null });
  });
});

describe('joinery agents try', () => {
  test('shows what an agent did, and leaves nothing behind', async () => {
    const { call, tmp } = machine();
    const { code, stdout, stderr } = await call('try', 'scripted');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('scripted works.') });
    expect(stderr).toContain('write hello.txt');
    expect(readdirSync(tmp)).toEqual([]);
  });

  test('through ACP, with what it cost', async () => {
    const usage = { inputTokens: 1000, outputTokens: 10, totalTokens: 1010 };
    const { call } = machine(
      doing({ write: 'hello.txt', content: 'hello from joinery\n' }, { stop: 'end_turn', usage }),
    );
    const { code, stdout } = await call('try', 'mine', '--model', 'gpt-5', '--json');
    expect({ code, report: TryReport.parse(JSON.parse(stdout)) }).toMatchObject({
      code: 0,
      report: {
        agent: 'mine',
        outcome: 'ok',
        isDone: true,
        changed: ['hello.txt'],
        usage: { in: 1000, usd: 0.00135 },
      },
    });
  });

  test('counts a cost once if the agent reports it after its tokens', async () => {
    const { call, program } = machine();
    const usage = { inputTokens: 1000, outputTokens: 10, totalTokens: 1010 };
    const script = { prompts: [[{ chunkUsage: usage }, { cost: 0.25 }]] };
    program('qwen', `exec "${process.execPath}" "${acpAgent}" '${JSON.stringify(script)}'`);
    const { stdout } = await call('try', 'qwen', '--model', 'gpt-5', '--json');
    expect(TryReport.parse(JSON.parse(stdout)).usage).toMatchObject({ in: 1000, out: 10, usd: 0.25 });
  });

  test.each([
    ['does something else', doing({ write: 'hello.txt' }), 'ok', ['hello.txt']],
    [
      'does more than it was asked',
      doing({ write: 'hello.txt', content: 'hello from joinery\n' }, { write: 'b.txt' }),
      'ok',
      ['b.txt', 'hello.txt'],
    ],
    ['does nothing', doing({ say: 'Done!' }), 'ok', []],
    ['dies', doing({ exit: 1 }), 'crashed', []],
  ])('of an agent that %s exits with 1', async (_, config, outcome, changed) => {
    const { code, stdout } = await machine(config).call('try', 'mine', '--json');
    const report = TryReport.parse(JSON.parse(stdout));
    expect({ code, report }).toMatchObject({ code: 1, report: { isDone: false, outcome } });
    expect(report.changed.toSorted()).toEqual(changed);
  });

  test.each([
    [['try'], 3, 'no-agent'],
    [['try', 'nobody'], 3, 'unknown-agent'],
    [['list', 'claude'], 3, 'no-try'],
    [['--model', 'x'], 3, 'no-try'],
    [['try', 'codex'], 5, 'agent-missing'],
    [['try', 'scripted', '--timeout', 'soon'], 3, 'bad-timeout'],
    [['guess'], 3, null],
  ] as const)('%j exits with %i', async (args, code, error) => {
    const outcome = await machine().call(...args, '--json');
    expect(outcome.code).toBe(code);
    if (error !== null) expect(JSON.parse(outcome.stdout).error.code).toBe(error);
  });
});
