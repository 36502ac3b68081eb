import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { pinnedAgents } from '#agents/programs/pinned-agents.ts';
import { temporaryFolder } from '../support/joinery.ts';
import type { Fault } from '../support/model-server/protocol.ts';
import { type Bench, handoffBlock, inTurn, openAgentBench, type RealAgent } from '../support/real-agent.ts';

/**
 * The programs need seconds to start, and some write megabytes first. A failure on a busy machine is retried once; a real
 * defect fails again.
 */
const patience = { timeout: 180_000, retry: 1 };
const limits = { wallMs: 120_000, inactivityMs: 60_000, turns: null, tokens: null, usd: null };
const tokens = { in: 120, out: 17, cached: 20 };

/** What the agent supports; its row of the table explains the differences. */
interface Abilities {
  readonly tellsCached: boolean;
  readonly resumes: boolean;
  /** Asks before it writes into `.git`; if it refuses by itself, we denied nothing. */
  readonly asksForGit: boolean;
  /** The outcome of each permanent fault. */
  readonly faults: Readonly<Record<FaultName, 'api_error' | 'timeout' | 'ok'>>;
  /**
   * Believes a model that reports more tokens than fit, and compacts its context endlessly: between its tools, so that no
   * turn ends, and without reporting tokens. Only the time limit ends that.
   */
  readonly makesRoom: boolean;
}

const faults = {
  401: { status: 401 },
  429: { status: 429 },
  '429 with retry-after': { status: 429, retryAfter: 1 },
  500: { status: 500 },
  cut: 'cut',
  garbage: 'garbage',
  stall: 'stall',
  silent: 'silent',
} as const satisfies Record<string, Fault>;
type FaultName = keyof typeof faults;

/**
 * Limits for programs that retry without reporting it. Silence: longer than a program takes to start and to ask. In all: shorter
 * than any of them keeps retrying, because the half answer before a broken connection may arrive, and then it is not silent.
 */
const retryLimits = { ...limits, inactivityMs: 40_000, wallMs: 55_000 };

/** The contract of the ACP driver with a real program, in addition to its unit tests with a fake one. */
export function acpContract(name: RealAgent['name'], able: Abilities): void {
  const { tellsCached, resumes, asksForGit, makesRoom } = able;
  const open = (script: Parameters<typeof openAgentBench>[1]) => openAgentBench(name, script);

  describe(`${name} at work`, patience, () => {
    test('edits, reports its name, hands in, and reports its cost to the token', async () => {
      const bench = await open(({ agent, cwd }) => (request) => {
        if (request.prompt.includes('files: missing'))
          return { say: handoffBlock({ files: ['b.txt'] }), tokens };
        return inTurn(
          { say: 'I begin.', calls: [agent.write(cwd, 'b.txt', 'hi\n')], tokens },
          { say: handoffBlock({ nothing: true }), tokens },
        )(request, 1);
      });
      const refusal = { accepted: false, text: 'files: missing', isFinal: false } as const;
      const { end, handoffs, usage, of } = await bench.play({ system: 'Speak of the yellow door.', limits }, [
        refusal,
      ]);
      expect(end).toEqual({ outcome: 'ok', reason: '' });
      expect(readFileSync(join(bench.cwd, 'b.txt'), 'utf8')).toBe('hi\n');
      expect(of('started')).toMatchObject([
        {
          version: pinnedAgents[name].version,
          model: bench.agent.model,
          session: expect.stringMatching(/./),
        },
      ]);
      expect(of('text')[0]?.text).toBe('I begin.');
      expect(of('tool').map(({ status }) => status)).toEqual(['begun', 'ended']);
      expect(of('turn')).toHaveLength(3);
      expect(of('incident')).toEqual([]);
      expect(handoffs.map((raw) => JSON.parse(String(raw)))).toEqual([
        { nothing: true },
        { files: ['b.txt'] },
      ]);
      expect(bench.server.asked).toHaveLength(3);
      expect(bench.server.asked[0]?.raw).toContain('Speak of the yellow door.');
      expect(usage).toMatchObject(spentIn(bench, tellsCached));
      expect(bench.server.unknown).toEqual([]);
      expect(bench.alive()).toBe(0);
    });

    test(
      resumes ? 'resumes a session and counts only what is new' : 'starts over if it cannot resume',
      async () => {
        const bench = await open(() => inTurn({ say: 'Noted.', tokens }));
        const first = await bench.play({ limits });
        const session = first.of('started')[0]?.session ?? '';
        const second = await bench.play({
          prompt: 'And now?',
          resume: { session, spent: first.usage },
          limits,
        });
        expect(second.end.outcome).toBe('ok');
        expect(second.of('started')[0]?.session === session).toBe(resumes);
        expect(bench.server.asked.at(-1)?.prompt).toContain('And now?');
        expect(bench.server.asked.at(-1)?.raw.includes('Do what the test says.')).toBe(resumes);
        expect(second.usage).toMatchObject({ in: tokens.in, out: tokens.out });
      },
    );

    test('uses the MCP tools it was given, with their variables', async () => {
      const script = fileURLToPath(new URL('../support/mcp-server.ts', import.meta.url));
      const bench = await open(({ agent }) =>
        inTurn({ calls: [agent.note('from the model')] }, { say: 'Done.' }),
      );
      // Its servers run in the sandbox of the agent.
      const notes = join(bench.repo.dir, 'notes.txt');
      const { end } = await bench.play({
        limits,
        mcpServers: { lab: { command: process.execPath, args: [script], env: { NOTES: notes } } },
      });
      expect(end.outcome).toBe('ok');
      expect(readFileSync(notes, 'utf8')).toBe('from the model\n');
    });
  });

  describe(`${name} within bounds`, patience, () => {
    test('that may only read cannot write, by tool or by shell', async () => {
      const bench = await open(({ agent, cwd }) =>
        inTurn(
          { calls: [agent.write(cwd, 'hello.txt', 'hi\n')] },
          { calls: [agent.shell('echo hi > shell.txt; mkdir made; rm README.md')] },
          { say: 'I tried.' },
        ),
      );
      const { end } = await bench.play({ mode: 'read', limits });
      expect(end).toEqual({ outcome: 'ok', reason: '' });
      expect(bench.server.asked).toHaveLength(3);
      expect(bench.repo.git('status', '--porcelain')).toBe('');
    });

    test('does not write outside its folder', async () => {
      const target = join(temporaryFolder(), 'outside.txt');
      const bench = await open(({ agent }) =>
        inTurn({ calls: [agent.write('', target, 'x\n')] }, { say: 'All done!' }),
      );
      await bench.play({ limits });
      expect(existsSync(target)).toBe(false);
    });

    test('that was refused and changed nothing is denied, whatever it says, if Joinery refused', async () => {
      const bench = await open(({ agent, cwd }) =>
        inTurn({ calls: [agent.write(cwd, '.git/hooks/pre-commit', 'x\n')] }, { say: 'All done!' }),
      );
      const { end, of } = await bench.play({ limits });
      expect(end).toEqual(
        asksForGit
          ? { outcome: 'denied', reason: expect.stringContaining('it was denied edit') }
          : { outcome: 'ok', reason: '' },
      );
      expect(of('permission').some(({ decision }) => decision === 'denied')).toBe(asksForGit);
      expect(existsSync(join(bench.cwd, '.git/hooks/pre-commit'))).toBe(false);
    });

    // Turns are limited while it works; tokens as soon as it reports them.
    test.for([
      [{ turns: 2 }, 'more than 2 turns'],
      [{ tokens: 300 }, 'more than 300 tokens'],
    ] as const)('ends at its limit: %j', async ([limit, reason]) => {
      const bench = await open(({ agent }) => ({ turn }) => {
        if (turn > 5) return { say: 'Done.', tokens };
        return { calls: [agent.shell(`echo ${turn}`)], tokens };
      });
      const { end } = await bench.play({ limits: { ...limits, ...limit } });
      expect(end).toEqual({ outcome: 'limit', reason });
      // The answer that exceeded the limit, and the one that had already started.
      if ('turns' in limit) expect(bench.server.asked.length).toBeLessThanOrEqual(4);
      expect(bench.alive()).toBe(0);
    });

    test('ends when it is cancelled, together with its tools', async () => {
      const bench = await open(({ agent }) =>
        inTurn({ calls: [agent.shell('echo at work > working.txt; sleep 1000')], tokens }),
      );
      const stop = new AbortController();
      const playing = bench.play({ signal: stop.signal, limits });
      await vi.waitUntil(() => existsSync(join(bench.cwd, 'working.txt')), { timeout: 100_000 });
      stop.abort();
      expect((await playing).end.outcome).toBe('cancelled');
      expect(bench.alive()).toBe(0);
    });

    test('leaks its own secrets into no log, and gets no others', async () => {
      const bench = await open(({ agent }) =>
        inTurn({ calls: [agent.shell('env')] }, { say: 'The key is sk-test-key-of-the-agent.' }),
      );
      const { events, handoffs } = await bench.play({
        limits,
        env: {
          PATH: process.env.PATH ?? '',
          HOME: bench.home,
          ...bench.agent.variables(bench.server.url),
          DATABASE_URL: 'postgres://u:a-secret@h/d',
        },
      });
      const shown = bench.server.asked[1]?.results.join('\n') ?? '';
      expect(shown).toContain('HOME=');
      expect(shown).not.toContain('a-secret');
      const variables = Object.values(bench.agent.variables(bench.server.url));
      if (variables.includes('sk-test-key-of-the-agent'))
        expect(JSON.stringify([events, handoffs])).not.toContain('sk-test-key-of-the-agent');
    });
  });

  describe(`${name} and a model that fails`, patience, () => {
    test.for(Object.keys(faults) as FaultName[])('a permanent %s', async (fault) => {
      const expected = able.faults[fault];
      const bench = await open(() => () => ({ say: 'half an answer', fault: faults[fault] }));
      // If no end is expected, a short time is enough; otherwise a slow machine must not look silent.
      const { end, usage } = await bench.play({ limits: expected === 'timeout' ? retryLimits : limits });
      expect(end).toEqual({
        outcome: expected,
        reason: {
          api_error: expect.stringMatching(/./),
          timeout: expect.stringMatching(/^(silent for 40 s|no end within 55 s)$/),
          ok: '',
        }[expected],
      });
      expect(bench.server.asked.length).toBeGreaterThan(0);
      expect([usage.in, usage.out, usage.usd]).toEqual([0, 0, 0]);
      expect(bench.repo.git('status', '--porcelain')).toBe('');
      expect(bench.alive()).toBe(0);
    });

    test('a connection that breaks after the first answer', async () => {
      const bench = await open(
        ({ agent, cwd }) =>
          ({ turn }) =>
            turn === 0
              ? { calls: [agent.write(cwd, 'a.txt', 'a\n')], tokens }
              : { say: 'half an answer', fault: 'cut' },
      );
      // Here an incomplete answer of Qwen Code can be detected: it reports the cost of an answer when the answer has ended.
      const expected = able.faults.cut === 'ok' ? 'api_error' : able.faults.cut;
      const { end } = await bench.play({ limits: expected === 'timeout' ? retryLimits : limits });
      expect(end.outcome).toBe(expected);
      expect(readFileSync(join(bench.cwd, 'a.txt'), 'utf8')).toBe('a\n');
      expect(bench.alive()).toBe(0);
    });

    test('a temporary fault has no effect', async () => {
      const bench = await open(
        ({ agent, cwd }) =>
          (request, n) =>
            n === 1
              ? { fault: { status: 500 } }
              : inTurn({ calls: [agent.write(cwd, 'a.txt', 'a\n')], tokens }, { say: 'Done.', tokens })(
                  request,
                  n,
                ),
      );
      const { end, usage } = await bench.play({ limits });
      expect(end).toEqual({ outcome: 'ok', reason: '' });
      expect(bench.server.asked).toHaveLength(3);
      expect(usage).toMatchObject(spentIn(bench, tellsCached));
    });

    test.for(['absurd', 'missing'] as const)('usage that is %s does no harm', async (wrong) => {
      const bench = await open(() => inTurn({ say: 'Done.', tokens: wrong }));
      const isEndless = makesRoom && wrong === 'absurd';
      const { end, usage } = await bench.play({
        limits: { ...limits, wallMs: isEndless ? 60_000 : limits.wallMs },
      });
      expect(end).toEqual(
        isEndless ? { outcome: 'timeout', reason: 'no end within 60 s' } : { outcome: 'ok', reason: '' },
      );
      if (isEndless) expect(bench.server.asked.length).toBeGreaterThan(2);
      else expect(bench.server.asked).toHaveLength(1);
      for (const value of [usage.in, usage.out, usage.usd]) expect(value).toBeGreaterThanOrEqual(0);
      expect(bench.alive()).toBe(0);
    });
  });
}

/** The cost of the conversation; the program's own side requests are not always reported. */
function spentIn({ server }: Bench, tellsCached: boolean): object {
  const sum = (key: 'in' | 'out' | 'cached') =>
    server.asked.reduce((total, { tokens: cost }) => total + (cost?.[key] ?? 0), 0);
  return { in: sum('in'), out: sum('out'), ...(tellsCached ? { cached: sum('cached') } : {}) };
}
