import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { pinnedAgents } from '#agents/programs/pinned-agents.ts';
import { temporaryFolder } from '../support/joinery.ts';
import type { Fault } from '../support/model-server/protocol.ts';
import { type Bench, handoffBlock, inTurn, openAgentBench, type RealAgent } from '../support/real-agent.ts';

const limits = { wallMs: 60_000, inactivityMs: 60_000, turns: null, tokens: null, usd: null };
const notesServer = fileURLToPath(new URL('../support/mcp-server.ts', import.meta.url));
/**
 * Third-party programs with their own timers: a failure on a busy machine is retried once; a real defect fails again.
 */
const onceMore = { retry: 1 };
const tokens = { in: 120, out: 17, cached: 20, written: 30 };

/** The contract of every driver of a real program. */
export function agentContract(name: RealAgent['name']): void {
  const open = (...[script]: Parameters<typeof openAgentBench> extends [unknown, infer S] ? [S] : never) =>
    openAgentBench(name, script);

  describe(`${name} at work`, onceMore, () => {
    test('edits, reports its name, and reports its cost to the token', async () => {
      const bench = await open(({ agent, cwd }) =>
        inTurn(
          { say: 'I begin.', calls: [agent.write(cwd, 'hello.txt', 'hi\n')], tokens },
          { say: handoffBlock({ files: ['hello.txt'] }), tokens },
        ),
      );
      const { end, usage, handoffs, of } = await bench.play({ system: 'Speak of the yellow door.' });
      expect(end).toEqual({ outcome: 'ok', reason: '' });
      expect(readFileSync(join(bench.cwd, 'hello.txt'), 'utf8')).toBe('hi\n');
      const [started] = of('started');
      expect(started).toMatchObject({ version: pinnedAgents[name].version, model: bench.agent.model });
      expect(of('text')[0]?.text).toBe('I begin.');
      expect(of('tool').map(({ status }) => status)).toEqual(expect.arrayContaining(['begun', 'ended']));
      expect(of('turn')).toHaveLength(2);
      expect(of('incident')).toEqual([]);
      expect(JSON.parse(String(handoffs[0]))).toEqual({ files: ['hello.txt'] });
      expect(usage).toMatchObject(tokensSpent(bench.server));
      expect(bench.server.asked).toHaveLength(2);
      expect(bench.server.asked[0]).toMatchObject({
        model: bench.agent.model,
        prompt: 'Do what the test says.',
      });
      expect(bench.server.asked[0]?.raw).toContain('Speak of the yellow door.');
      expect(bench.server.unknown).toEqual([]);
      expect(bench.alive()).toBe(0);
    });

    test('is asked once more, in the same conversation, if its handoff is refused', async () => {
      const bench = await open(({ agent, cwd }) => (request) => {
        if (request.prompt.includes('files: missing'))
          return { say: handoffBlock({ files: ['b.txt'] }), tokens };
        return inTurn(
          { calls: [agent.write(cwd, 'b.txt', 'b\n')], tokens },
          { say: handoffBlock({ nothing: true }), tokens },
        )(request, 1);
      });
      const refusal = { accepted: false, text: 'files: missing', isFinal: false } as const;
      const { end, handoffs, usage, of, scratch } = await bench.play({}, [refusal]);
      expect(end.outcome).toBe('ok');
      expect(handoffs.map((raw) => JSON.parse(String(raw)))).toEqual([
        { nothing: true },
        { files: ['b.txt'] },
      ]);
      expect(new Set(of('started').map(({ session }) => session)).size).toBe(1);
      expect(bench.server.asked).toHaveLength(3);
      expect(bench.server.asked[2]?.raw).toContain('Do what the test says.');
      expect(usage).toMatchObject(tokensSpent(bench.server));
      expect(bench.agent.driver.spentSoFar?.(scratch)).toMatchObject(tokensSpent(bench.server));
    });

    test('resumes a session and counts only what is new', async () => {
      const bench = await open(() => inTurn({ say: 'Noted.', tokens }));
      const first = await bench.play();
      const session = first.of('started')[0]?.session ?? '';
      const second = await bench.play({ prompt: 'And now?', resume: { session, spent: first.usage } });
      expect(second.end.outcome).toBe('ok');
      expect(second.of('started')[0]?.session).toBe(session);
      expect(bench.server.asked[1]?.raw).toContain('Do what the test says.');
      expect(bench.server.asked[1]?.prompt).toBe('And now?');
      expect(second.usage).toMatchObject({ in: tokens.in, out: tokens.out });
    });

    test('uses the MCP tools it was given, with their variables', async () => {
      const bench = await open(({ agent }) =>
        inTurn({ calls: [agent.note('from the model')] }, { say: 'Done.' }),
      );
      // Its servers run in the sandbox of the agent.
      const notes = join(bench.repo.dir, 'notes.txt');
      const { end, of } = await bench.play({
        mcpServers: { lab: { command: process.execPath, args: [notesServer], env: { NOTES: notes } } },
      });
      expect(end.outcome).toBe('ok');
      expect(readFileSync(notes, 'utf8')).toBe('from the model\n');
      expect(of('incident')).toEqual([]);
    });

    test('accepts a prompt longer than an argument can be', async () => {
      const bench = await open(() => inTurn({ say: 'Read.' }));
      const { end } = await bench.play({ prompt: `${'All of it. '.repeat(18_000)}The end.` });
      expect(end.outcome).toBe('ok');
      expect(bench.server.asked[0]?.prompt).toMatch(/^All of it\. [\s\S]*The end\.$/);
    });
  });

  describe(`${name} within bounds`, onceMore, () => {
    test('that may only read cannot write, by tool, by shell or by an MCP server', async () => {
      const notes = join(temporaryFolder(), 'notes.txt');
      const bench = await open(({ agent, cwd }) =>
        inTurn(
          { calls: [agent.write(cwd, 'hello.txt', 'hi\n')] },
          { calls: [agent.shell('echo hi > shell.txt; mkdir made; rm README.md')] },
          { calls: [agent.note('from the model')] },
          { say: 'I tried.' },
        ),
      );
      const { end } = await bench.play({
        mode: 'read',
        mcpServers: { lab: { command: process.execPath, args: [notesServer], env: { NOTES: notes } } },
      });
      expect(end).toEqual({ outcome: 'ok', reason: '' });
      expect(bench.server.asked).toHaveLength(4);
      expect(existsSync(notes)).toBe(false);
      expect(bench.repo.git('status', '--porcelain')).toBe('');
    });

    test('that was refused and changed nothing is denied, although it says it is done', async () => {
      const target = join(temporaryFolder(), 'outside.txt');
      const bench = await open(({ agent }) =>
        inTurn({ calls: [agent.write('', target, 'x\n')] }, { say: 'All done!' }),
      );
      const { end } = await bench.play();
      expect(existsSync(target)).toBe(false);
      expect(end).toMatchObject({
        outcome: 'denied',
        reason: expect.stringContaining('nothing was changed'),
      });
    });

    test.for([
      // Claude Code counts its turns itself and does not ask a third time. Codex records an answer when its tools have
      // ended: by then it has asked once more.
      ['turns', { turns: 2 }, { claude: 2, codex: 4 }],
      ['tokens', { tokens: 300 }, { claude: 3, codex: 4 }],
      ['usd', { usd: 0.001 }, { claude: 2, codex: 3 }],
    ] as const)('ends at its limit of %s', async ([, limit, asked]) => {
      const bench = await open(({ agent }) => () => ({ calls: [agent.shell('sleep 2')], tokens }));
      const prices = { [bench.agent.model]: { in: 3, out: 15 } };
      const { end, usage } = await bench.play({ limits: { ...limits, ...limit }, prices });
      expect(end.outcome).toBe('limit');
      expect(bench.server.asked).toHaveLength(asked[name as keyof typeof asked]);
      const served = tokensSpent(bench.server);
      // An answer that reaches Codex while it is being ended is not in its record.
      if (name === 'codex') expect([served.in, served.in - tokens.in]).toContain(usage.in);
      else expect(usage).toMatchObject(served);
      expect(bench.alive()).toBe(0);
    });

    test('ends when its time is up, although a tool is running', async () => {
      const bench = await open(({ agent }) => inTurn({ calls: [agent.shell('sleep 1000')], tokens }));
      const { end } = await bench.play({ limits: { ...limits, wallMs: 6000 } });
      expect(end).toEqual({ outcome: 'timeout', reason: 'no end within 6 s' });
      expect(bench.server.asked).toHaveLength(1);
      expect(bench.alive()).toBe(0);
    });

    test('ends when it is cancelled, together with its tools', async () => {
      const bench = await open(({ agent }) =>
        inTurn({ calls: [agent.shell('echo at work > working.txt; sleep 1000')], tokens }),
      );
      const stop = new AbortController();
      const playing = bench.play({ signal: stop.signal });
      // Not by the number of its processes: Codex has several before the first answer arrives.
      await vi.waitUntil(() => existsSync(join(bench.cwd, 'working.txt')), { timeout: 30_000 });
      const began = performance.now();
      stop.abort();
      const { end, scratch, usage } = await playing;
      expect(end.outcome).toBe('cancelled');
      // What would have to be found out after our own process was killed.
      expect(bench.agent.driver.spentSoFar?.(scratch)).toMatchObject(tokensSpent(bench.server));
      expect(usage).toMatchObject(tokensSpent(bench.server));
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(bench.alive()).toBe(0);
    });

    test('sees only its own secrets, and neither those nor the secrets of its servers reach a log', async () => {
      const secrets = ['sk-test-key-of-the-agent', 'a-secret-of-the-search', 'a-secret-of-the-lab'];
      const bench = await open(({ agent }) =>
        inTurn({ calls: [agent.shell('env')] }, { say: `The keys are ${secrets.join(' and ')}.` }),
      );
      const variables = bench.agent.variables(bench.server.url);
      const { events, handoffs } = await bench.play({
        env: {
          PATH: process.env.PATH ?? '',
          HOME: bench.home,
          // As in every run: without it the sandbox of Codex does not find its own helper.
          TMPDIR: join(bench.home, '..', 'tmp'),
          ...variables,
          GITHUB_TOKEN: 'ghp-a-secret',
          DATABASE_URL: 'postgres://u:a-secret@h/d',
        },
        mcpServers: {
          search: { url: `${bench.server.url}/mcp`, headers: { Authorization: `Bearer ${secrets[1]}` } },
          lab: { command: 'true', args: [], env: { LAB_URL: `postgres://u:${secrets[2]}@h/d` } },
        },
      });
      const shown = bench.server.asked[1]?.results.join('\n') ?? '';
      expect(shown).toContain('JOINERY_ATTEMPT=');
      expect(shown).not.toContain('a-secret');
      const logged = JSON.stringify([events, handoffs]);
      const key = name === 'claude' ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY';
      expect(logged).toContain(`The keys are [${key}] and [Authorization] and [LAB_URL].`);
      for (const secret of secrets) expect(logged).not.toContain(secret);
    });

    test('has the programs of its task in its shell, whatever a profile sets as PATH', async () => {
      const bench = await open(({ agent }) =>
        inTurn({ calls: [agent.shell('joinery --probe')] }, { say: 'Done.' }),
      );
      const bin = join(bench.home, '..', 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'joinery'), '#!/bin/sh\necho "the one of the task"\n', { mode: 0o755 });
      for (const profile of ['.profile', '.bash_profile'])
        writeFileSync(join(bench.home, profile), 'PATH=/usr/local/bin:/usr/bin:/bin\n');
      await bench.play({
        env: {
          PATH: `${bin}${delimiter}${process.env.PATH}`,
          HOME: bench.home,
          TMPDIR: join(bench.home, '..', 'tmp'),
          ...bench.agent.variables(bench.server.url),
        },
      });
      expect(bench.server.asked[1]?.results.join('\n')).toContain('the one of the task');
    });

    test('leaves no process behind', async () => {
      const command = 'setsid sleep 1000 >/dev/null 2>&1 & echo started > started.txt';
      const bench = await open(({ agent }) => inTurn({ calls: [agent.shell(command)] }, { say: 'Done.' }));
      const { end, of } = await bench.play();
      expect(end.outcome).toBe('ok');
      expect(bench.alive()).toBe(0);
      // Codex ends what its sandbox started; what Claude Code leaves running is named.
      const expected = name === 'claude' ? [expect.objectContaining({ kind: 'left-processes' })] : [];
      expect(of('incident')).toEqual(expected);
    });
  });

  describe(`${name} and a model that fails`, onceMore, () => {
    test.for([
      [{ status: 429 }, 'api_error'],
      [{ status: 429, retryAfter: 1 }, 'api_error'],
      [{ status: 500 }, 'api_error'],
      [{ status: 401 }, 'api_error'],
      ['cut', 'api_error'],
      ['garbage', 'api_error'],
      ['silent', 'timeout'],
      ['stall', 'timeout'],
    ] as [Fault, string][])('a permanent %j is %s', async ([fault, outcome]) => {
      const bench = await open(() => () => ({ say: 'half an answer', fault }));
      // If silence is expected, a short time is enough; otherwise a slow machine must not look silent.
      const inactivityMs = outcome === 'timeout' ? 3000 : limits.inactivityMs;
      const { end, usage } = await bench.play({ limits: { ...limits, inactivityMs } });
      expect(end.outcome).toBe(outcome);
      expect(end.reason).not.toBe('');
      // Claude Code reports the cost of a question when its answer starts; Codex, when it has ended.
      const isTold = name === 'claude' && fault === 'stall';
      // Whether the start of an answer arrives before its connection breaks is random.
      if (name === 'claude' && fault === 'cut')
        expect(usage.in).toBeLessThanOrEqual(100 * bench.server.requests.length);
      else expect([usage.in, usage.out]).toEqual(isTold ? [100, 1] : [0, 0]);
      expect(bench.server.requests.length).toBeLessThan(12);
      expect(bench.alive()).toBe(0);
    });

    test('a temporary fault is retried and has no effect', async () => {
      const bench = await open(({ agent, cwd }) => (request, n) => {
        if (n === 1) return { fault: { status: 500 } };
        return inTurn({ calls: [agent.write(cwd, 'a.txt', 'a\n')], tokens }, { say: 'Done.', tokens })(
          request,
          n,
        );
      });
      const { end, usage } = await bench.play();
      expect(end.outcome).toBe('ok');
      expect(bench.server.asked).toHaveLength(3);
      expect(usage).toMatchObject(tokensSpent(bench.server));
    });

    test.for(['absurd', 'missing'] as const)('usage that is %s does no harm', async (wrong) => {
      const bench = await open(() => inTurn({ say: 'Done.', tokens: wrong }));
      const { end, usage } = await bench.play();
      expect(end.outcome).toBe('ok');
      for (const value of Object.values(usage)) expect(value).toBeGreaterThanOrEqual(0);
    });
  });
}

function tokensSpent({ spent }: Pick<Bench['server'], 'spent'>) {
  return { in: spent.in, out: spent.out, cached: spent.cached, written: spent.written };
}
