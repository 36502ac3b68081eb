import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { AgentEnd, AgentEvent, AgentRequest, HandoffAnswer } from '#agents/driver.ts';
import { playAgent } from '#agents/play-agent.ts';
import { findProcesses } from '#process/sweep.js';
import { AgentConfig } from '#schema/agent.ts';
import type { AcpAction, AcpScript } from '#test/support/acp-agent.ts';
import { agentRequest } from '#test/support/agent-request.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { acpDriver } from './acp-driver.ts';
import { type AcpAgent, genericAgent } from './agents.ts';

const program = fileURLToPath(new URL('../../../../test/support/acp-agent.ts', import.meta.url));
let marks = 0;

interface Played {
  readonly end: AgentEnd;
  readonly events: readonly AgentEvent[];
  readonly cwd: string;
  readonly mark: string;
  readonly handoffs: readonly unknown[];
  /** The messages the agent received. */
  readonly told: readonly { method?: string; params?: Record<string, unknown> }[];
}

interface Wish {
  readonly script: AcpScript;
  readonly request?: Partial<AgentRequest>;
  readonly agent?: Partial<AcpAgent>;
  readonly onEvent?: (event: AgentEvent) => void;
  readonly answers?: readonly HandoffAnswer[];
}

async function play({ script, request = {}, agent = {}, onEvent, answers = [] }: Wish): Promise<Played> {
  const cwd = temporaryFolder();
  const scratch = temporaryFolder();
  execFileSync('git', ['init', '-q'], { cwd });
  const seen = join(scratch, 'seen.json');
  const mark = `acp-${process.pid}-${++marks}/a/1`;
  const events: AgentEvent[] = [];
  const handoffs: unknown[] = [];
  const driver = acpDriver({
    ...genericAgent('test', []),
    args: () => [program, JSON.stringify(script)],
    variables: ['ACP_SEEN', 'NODE_COMPILE_CACHE'],
    ...agent,
  });
  const end = await playAgent(
    driver,
    agentRequest({
      cwd,
      scratch,
      mark,
      prompt: 'do it',
      env: {
        PATH: process.env.PATH ?? '',
        ACP_SEEN: seen,
        // Saves Node from stripping the types of the agent's program every time.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      },
      config: AgentConfig.parse({ command: process.execPath }),
      ...request,
    }),
    {
      report: (event) => {
        events.push(event);
        onEvent?.(event);
      },
      submit: (raw) => {
        handoffs.push(raw);
        return answers[handoffs.length - 1] ?? { accepted: true };
      },
      hasChanged: async () =>
        execFileSync('git', ['status', '--porcelain'], { cwd, encoding: 'utf8' }) !== '',
    },
  );
  const told = existsSync(seen) ? JSON.parse(readFileSync(seen, 'utf8')) : [];
  return { end, events, cwd, mark, told, handoffs };
}

const doing = (...actions: AcpAction[]): AcpScript => ({ prompts: [actions] });
const of = (events: readonly AgentEvent[], type: AgentEvent['type']) =>
  events.filter((event) => event.type === type);
const alive = (mark: string) => findProcesses({ root: null, mark }).length;

describe('an ACP agent', () => {
  test('works in its folder and reports what it does', async () => {
    const { end, events, cwd, told } = await play({
      script: doing(
        { say: 'I will ' },
        { say: 'write.' },
        { write: 'a.txt' },
        { say: 'Done.' },
        {
          stop: 'end_turn',
          usage: { inputTokens: 10, outputTokens: 5, totalTokens: 19, cachedReadTokens: 4 },
        },
      ),
      request: { system: 'Be brief.' },
    });
    expect(end).toEqual({ outcome: 'ok', reason: '' });
    expect(existsSync(join(cwd, 'a.txt'))).toBe(true);
    expect(events).toMatchObject([
      { type: 'started', session: 's1' },
      { type: 'text', text: 'I will write.' },
      { type: 'tool', status: 'begun', tool: 'edit' },
      { type: 'permission', decision: 'allowed' },
      { type: 'text', text: '[once]' },
      { type: 'tool', status: 'ended' },
      { type: 'turn' },
      { type: 'text', text: 'Done.' },
      { type: 'turn' },
      { type: 'usage', usage: { in: 14, out: 5, cached: 4 } },
    ]);
    expect(told.find(({ method }) => method === 'initialize')?.params).toMatchObject({
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    expect(told.find(({ method }) => method === 'session/prompt')?.params).toMatchObject({
      prompt: [{ text: 'Be brief.' }, { text: 'do it' }],
    });
  });

  test('gets MCP servers, its mode and its model', async () => {
    const { told, events } = await play({
      script: {
        hello: {
          agentCapabilities: { mcpCapabilities: { http: true } },
          agentInfo: { name: 'x', version: '1.2' },
        },
        session: {
          modes: { currentModeId: 'default', availableModes: [{ id: 'default' }, { id: 'plan' }] },
          configOptions: [
            { id: 'm', category: 'model', currentValue: 'a', options: [{ value: 'a' }, { value: 'b' }] },
          ],
        },
        prompts: [[]],
      },
      agent: { modes: { edit: 'plan' } },
      request: {
        model: 'b',
        mcpServers: {
          lab: { command: 'lab', args: ['x'], env: { A: '1' } },
          far: { url: 'http://127.0.0.1/', headers: {} },
        },
      },
    });
    expect(told.find(({ method }) => method === 'session/new')?.params).toMatchObject({
      mcpServers: [
        { name: 'lab', command: 'lab', args: ['x'], env: [{ name: 'A', value: '1' }] },
        { type: 'http', name: 'far', url: 'http://127.0.0.1/', headers: [] },
      ],
    });
    expect(told.map(({ method, params }) => [method, params?.modeId ?? params?.value])).toEqual(
      expect.arrayContaining([
        ['session/set_mode', 'plan'],
        ['session/set_config_option', 'b'],
      ]),
    );
    expect(events[0]).toEqual({ type: 'started', session: 's1', version: '1.2', model: 'b' });
  });

  test('that lists its models is assigned one by its id', async () => {
    const models = {
      currentModelId: 'o',
      availableModels: [
        { modelId: 'o', name: 'Opus' },
        { modelId: 'h', name: 'Haiku' },
      ],
    };
    const played = (model: string) => play({ script: { session: { models } }, request: { model } });
    const chosen = ({ told }: Played) =>
      told.filter(({ method }) => method === 'session/set_model').map(({ params }) => params);
    for (const wanted of ['h', 'Haiku']) {
      const haiku = await played(wanted);
      expect(chosen(haiku)).toEqual([{ sessionId: 's1', modelId: 'h' }]);
      expect(haiku.events[0]).toMatchObject({ type: 'started', model: wanted });
    }
    expect(chosen(await played('o'))).toEqual([]);
  });

  test.each([
    ['lists others', { models: { currentModelId: 'o', availableModels: [{ modelId: 'o' }] } }],
    ['has none to choose', {}],
    ['offers others', { configOptions: [{ id: 'model', currentValue: 'o', options: [{ value: 'o' }] }] }],
  ])('that %s does not start with another model', async (_, session) => {
    const { end, told } = await play({ script: { session }, request: { model: 'h' } });
    expect(end).toEqual({ outcome: 'crashed', reason: expect.stringContaining('it has no model "h"') });
    expect(told.map(({ method }) => method)).not.toContain('session/prompt');
  });

  test('resumes an earlier session if it can', async () => {
    const resume = { session: 'old', spent: { in: 0, out: 0, usd: 1 } };
    const able = { hello: { agentCapabilities: { sessionCapabilities: { resume: {} } } } };
    const { told, events } = await play({
      script: { ...able, prompts: [[{ cost: 1.5 }]] },
      agent: { resume: 'session/resume' },
      request: { resume },
    });
    expect(told.find(({ method }) => method === 'session/resume')?.params).toMatchObject({
      sessionId: 'old',
    });
    expect(events[0]).toMatchObject({ session: 'old' });
    const { told: other } = await play({ script: able, request: { resume } });
    expect(other.map(({ method }) => method)).toContain('session/new');
  });

  test('that reports a growing total of its cost is charged for the difference', async () => {
    const { events } = await play({ script: doing({ cost: 0.5 }, { cost: 0.75 }, { cost: 0.75 }) });
    expect(of(events, 'usage')).toMatchObject([{ usage: { usd: 0.5 } }, { usage: { usd: 0.25 } }]);
  });

  test('that reports both its cost and its tokens is charged once, at once and against its limit', async () => {
    const usage = { inputTokens: 100_000, outputTokens: 10_000, totalTokens: 110_000 };
    const limits = { wallMs: 60_000, inactivityMs: 60_000, turns: null, tokens: null, usd: 0.6 };
    const prices = { m: { in: 3, out: 15 } };
    const session = { models: { currentModelId: 'm', availableModels: [{ modelId: 'm' }] } };
    const tell = (...actions: AcpAction[]) =>
      play({ script: { session, prompts: [actions] }, request: { model: 'm', limits, prices } });
    const { events, end } = await tell({ cost: 0.25 }, { cost: 0.5 }, { stop: 'end_turn', usage });
    expect(of(events, 'usage')).toMatchObject([
      { usage: { in: 0, usd: 0.25 } },
      { usage: { in: 100_000, out: 10_000, usd: 0.25 } },
    ]);
    expect(end.outcome).toBe('ok');
    const broken = await tell({ cost: 0.7 }, { cost: 0.8 }, { sleepMs: 60_000 });
    expect(broken.end).toEqual({ outcome: 'limit', reason: 'more than 0.6 usd' });
    expect(of(broken.events, 'usage')).toMatchObject([{ usage: { usd: 0.7 } }, { usage: {} }]);
  });

  test('that reports tokens beside its text or its answer is counted too', async () => {
    const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110, cachedReadTokens: 40 };
    const chunks = await play({
      script: doing({ chunkUsage: usage }, { chunkUsage: usage }),
      agent: { usage: 'chunk' },
    });
    expect(of(chunks.events, 'usage')).toMatchObject([
      { usage: { in: 100, out: 10, cached: 40 } },
      { usage: { in: 100, out: 10 } },
    ]);
    const part = (input: number) => ({ input_tokens: input, output_tokens: 1 });
    const meta = {
      quota: {
        token_count: part(30),
        model_usage: [
          { model: 'x', token_count: part(10) },
          { model: 'y', token_count: part(20) },
        ],
      },
    };
    const quota = await play({ script: doing({ stop: 'end_turn', meta }), agent: { usage: 'quota' } });
    expect(of(quota.events, 'usage')).toMatchObject([
      { usage: { in: 10, model: 'x' } },
      { usage: { in: 20, model: 'y' } },
    ]);
  });
});

describe('the handoff of an ACP agent', () => {
  const block = (body: string) => ({ say: `Done.\n\n\`\`\`handoff\n${body}\n\`\`\`\n` });
  const refused = (text: string, isFinal: boolean): HandoffAnswer => ({ accepted: false, text, isFinal });

  test('is the block at the end of what it says', async () => {
    const { handoffs } = await play({
      script: doing({ say: 'I begin.' }, { write: 'a.txt' }, block('{"v":1}')),
    });
    expect(handoffs).toEqual(['{"v":1}\n']);
    expect((await play({ script: doing({ write: 'a.txt' }) })).handoffs).toEqual([undefined]);
  });

  test('that is refused is requested once more, in the same session', async () => {
    const { handoffs, told, end } = await play({
      script: { prompts: [[{ write: 'a.txt' }, block('{"v":2}')], [block('{"v":1}')]] },
      answers: [refused('v: expected 1', false)],
    });
    expect(handoffs).toEqual(['{"v":2}\n', '{"v":1}\n']);
    const prompts = told
      .filter(({ method }) => method === 'session/prompt')
      .map(({ params }) => JSON.stringify(params));
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain('v: expected 1');
    expect(end.outcome).toBe('ok');
  });

  test('that cannot be repaired does not undo the work', async () => {
    const { end, handoffs } = await play({
      script: { prompts: [[{ write: 'a.txt' }, block('{}')], [{ error: { code: -32603, message: '500' } }]] },
      answers: [refused('no', false)],
    });
    expect({ outcome: end.outcome, count: handoffs.length }).toEqual({ outcome: 'ok', count: 1 });
    const final = await play({ script: doing(block('{}')), answers: [refused('no', true)] });
    expect(final.told.filter(({ method }) => method === 'session/prompt')).toHaveLength(1);
  });
});

describe('an agent that may only read', () => {
  const reading = { request: { mode: 'read' as const } };

  test.each(['edit', 'delete', 'move', 'execute', 'other', 'switch_mode'])(
    'and asks for permission to %s is refused',
    async (kind) => {
      const { end, cwd, events } = await play({ script: doing({ write: 'a.txt', kind }), ...reading });
      expect(existsSync(join(cwd, 'a.txt'))).toBe(false);
      expect(of(events, 'permission')).toMatchObject([{ decision: 'denied' }]);
      expect(of(events, 'text')).toMatchObject([{ text: '[no]' }]);
      expect(end.outcome).toBe('ok');
    },
  );

  test('is put into its read-only mode, and gets no MCP servers', async () => {
    const modes = { currentModeId: 'default', availableModes: [{ id: 'default' }, { id: 'plan' }] };
    const { told } = await play({
      script: { session: { modes } },
      request: { mode: 'read', mcpServers: { lab: { command: 'lab', args: [], env: {} } } },
    });
    expect(told.find(({ method }) => method === 'session/new')?.params).toMatchObject({ mcpServers: [] });
    expect(told.find(({ method }) => method === 'session/set_mode')?.params).toMatchObject({
      modeId: 'plan',
    });
  });

  test.each(['read', 'search'])('is allowed to %s', async (kind) => {
    const { events } = await play({ script: doing({ ask: 'look', options: [kind] }), ...reading });
    expect(of(events, 'permission')).toMatchObject([{ decision: 'allowed' }]);
  });

  test('and asks Joinery to write is refused', async () => {
    const { cwd, events } = await play({
      script: doing({ request: 'fs/write_text_file', params: { path: 'a.txt', content: 'x' } }),
      ...reading,
    });
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false);
    expect(of(events, 'text')).toMatchObject([{ text: '[-32601]' }]);
  });

  test('and writes without asking fails, because the folder changed', async () => {
    const { end } = await play({ script: doing({ write: 'a.txt', isUnasked: true }), ...reading });
    expect(end).toEqual({ outcome: 'crashed', reason: 'it may only read and has changed files' });
  });
});

describe('an agent that may edit', () => {
  test.each([['../outside.txt'], ['.git/hooks/pre-commit']])('may not write %s', async (path) => {
    const { end, cwd } = await play({ script: doing({ write: path }) });
    expect(existsSync(join(cwd, path))).toBe(false);
    expect(end.outcome).toBe('denied');
  });

  test.each([
    ['says where by a difference alone', { diffs: ['a.txt'] }, 'allowed'],
    ['names a new folder', { locations: ['new/deep/a.txt'] }, 'allowed'],
    ['does not say where', {}, 'denied'],
    ['shows a difference elsewhere', { locations: ['a.txt'], diffs: ['../a.txt'] }, 'denied'],
    ['goes through a link', { locations: ['out/a.txt'] }, 'denied'],
    ['goes through a link that leads nowhere', { locations: ['nowhere'] }, 'denied'],
    ['goes through a link to .git', { locations: ['hidden/config'] }, 'denied'],
    ['goes through a file', { locations: ['.git/HEAD/a.txt'] }, 'denied'],
    ['names what is no path', { locations: ['a\0b'] }, 'denied'],
  ])('and %s', async (_, where, decision) => {
    const cwd = temporaryFolder();
    execFileSync('git', ['init', '-q'], { cwd });
    symlinkSync(temporaryFolder(), join(cwd, 'out'));
    symlinkSync(join(temporaryFolder(), 'absent'), join(cwd, 'nowhere'));
    symlinkSync('.git', join(cwd, 'hidden'));
    for (const kind of ['edit', 'delete', 'move']) {
      const { events } = await play({
        script: doing({ ask: 'x', options: [kind], ...where }),
        request: { cwd },
      });
      expect(of(events, 'permission')).toMatchObject([{ decision }]);
    }
  });

  test.each([
    ['nothing more', [], {}, 'denied'],
    ['where, in its folder', [], { locations: ['a.txt'] }, 'allowed'],
    ['where, elsewhere', [], { locations: ['a.txt', '../a.txt'] }, 'denied'],
    ['where, in .git', [], { locations: ['.git/config'] }, 'denied'],
    ['before that it is a command', [{ announce: { kind: 'execute' } }], {}, 'allowed'],
    ['before that it is an edit', [{ announce: { kind: 'edit' } }], {}, 'denied'],
    ['before that it changes the mode', [{ announce: { kind: 'switch_mode' } }], {}, 'denied'],
    ['before where, elsewhere', [{ announce: { locations: [{ path: '../a.txt' }] } }], {}, 'denied'],
    ['before where, in its folder', [{ announce: { locations: [{ path: 'a.txt' }] } }], {}, 'allowed'],
    [
      'something about a tool that has ended',
      [{ announce: { kind: 'execute' } }, { announce: { status: 'completed' } }],
      {},
      'denied',
    ],
  ] as [string, AcpAction[], object, string][])(
    'and asks without naming a tool, but says %s',
    async (_, before, where, decision) => {
      const { events, end } = await play({ script: doing(...before, { ask: 'x', ...where }) });
      expect(of(events, 'permission')).toMatchObject([{ decision, tool: expect.any(String) }]);
      expect(end.outcome).toBe(decision === 'denied' ? 'denied' : 'ok');
    },
  );

  test('and asks for an unknown kind of tool is refused', async () => {
    const { events } = await play({ script: doing({ ask: 'x', options: ['sabotage'] }) });
    expect(of(events, 'permission')).toMatchObject([{ decision: 'denied', tool: 'sabotage' }]);
  });

  test('never gets a permanent permission', async () => {
    const { events } = await play({ script: doing({ ask: 'run', options: ['execute'] }) });
    expect(of(events, 'text')).toMatchObject([{ text: '[once]' }]);
  });

  test('gets an error for requests outside the protocol, and continues', async () => {
    const { end, events } = await play({
      script: doing({ request: 'craft/drainMidTurnQueue' }, { write: 'a.txt' }),
    });
    expect(end.outcome).toBe('ok');
    expect(of(events, 'text')[0]).toMatchObject({ text: '[-32601]' });
  });
});

describe('an agent that misbehaves', () => {
  const crashes: [string, AcpScript, RegExp][] = [
    ['dies in the middle', doing({ stderr: 'boom\n' }, { exit: 3 }), /exit code 3.*boom/],
    ['speaks another version', { hello: { protocolVersion: 2 } }, /version 2/],
    ['gives no session', { session: { sessionId: null } }, /no session/],
    ['gives an unknown answer', doing({ stop: 'tired' }), /tired/],
    ['claims to be cancelled', doing({ stop: 'cancelled' }), /we did not cancel/],
    [
      'writes a line without an end',
      doing({ flood: 40_000_000 }, { sleepMs: 60_000 }),
      /line without an end/,
    ],
  ];
  test.each(crashes)('and %s has crashed', async (_, script, reason) => {
    expect((await play({ script })).end).toEqual({
      outcome: 'crashed',
      reason: expect.stringMatching(reason),
    });
  });

  test('and is not installed is an environment error: its work is not judged', async () => {
    const missing = { config: AgentConfig.parse({ command: 'no-such-agent' }) };
    await expect(play({ script: {}, request: missing })).rejects.toMatchObject({
      exitCode: 5,
      message: expect.stringContaining('no program "no-such-agent"'),
    });
  });

  test.each([
    [{ code: -32603, message: 'got status: 429 Too Many Requests' }, 'api_error'],
    [{ code: -32603, message: 'Internal error: fetch failed' }, 'api_error'],
    [{ code: -32603, message: 'Cannot connect to API: The socket connection was closed' }, 'api_error'],
    [{ code: -32000, message: 'Authentication required' }, 'api_error'],
    [{ code: -32603, message: 'undefined is not a function' }, 'crashed'],
    [{ code: -32603, message: 'cannot connect to the server lab' }, 'crashed'],
  ])('and fails with %j ends as %s', async (error, outcome) => {
    expect((await play({ script: doing({ error }) })).end.outcome).toBe(outcome);
  });

  test('and needs a login says so', async () => {
    const { end } = await play({
      script: { sessionError: { code: -32000, message: 'Authentication required' } },
    });
    expect(end).toEqual({ outcome: 'api_error', reason: 'it needs a login: Authentication required' });
  });

  test.each([
    ['max_tokens', 'limit'],
    ['max_turn_requests', 'limit'],
    ['refusal', 'denied'],
  ])('stops for %s: %s', async (stop, outcome) => {
    expect((await play({ script: doing({ say: 'no' }, { stop }) })).end.outcome).toBe(outcome);
  });

  test('and ends well without text, tool or token has not worked', async () => {
    const { end } = await play({ script: doing({ stop: 'end_turn' }) });
    expect(end).toEqual({ outcome: 'api_error', reason: 'no answer of the model' });
  });

  test('and gives an incomplete answer as complete has failed, if that can be detected', async () => {
    const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110 };
    const answers = (...actions: AcpAction[]) =>
      play({ script: doing(...actions), agent: { usage: 'chunk' } });
    const broken = await answers({ write: 'a.txt' }, { chunkUsage: usage }, { say: 'Half an' });
    expect(broken.end).toEqual({ outcome: 'api_error', reason: 'the last answer of the model broke off' });
    const whole = await answers({ write: 'a.txt' }, { say: 'All of it.' }, { chunkUsage: usage });
    expect(whole.end.outcome).toBe('ok');
    // Without any report of tokens an incomplete answer cannot be detected.
    expect((await answers({ write: 'a.txt' }, { say: 'Half an' })).end.outcome).toBe('ok');
  });

  test('and prints to the wrong stream is still understood', async () => {
    const { end } = await play({
      script: doing({ raw: 'Welcome!\n{"half":\n\u0000\n[1,2]\n{"jsonrpc":"2.0"}\n\n' }, { write: 'a.txt' }),
    });
    expect(end.outcome).toBe('ok');
  });
});

describe('an agent that has to stop', () => {
  const stopWhenItWorks = (script: AcpScript) => {
    const stop = new AbortController();
    return play({
      script,
      request: { signal: stop.signal },
      onEvent: (event) => {
        if (event.type === 'started') void wait(50).then(() => stop.abort());
      },
    });
  };

  test('stops by itself', async () => {
    const { end, told, mark } = await stopWhenItWorks(doing({ sleepMs: 60_000 }));
    expect(end.outcome).toBe('cancelled');
    expect(told.map(({ method }) => method)).toContain('session/cancel');
    expect(alive(mark)).toBe(0);
  });

  test('or is killed, with everything it started', async () => {
    const began = performance.now();
    const { end, mark } = await stopWhenItWorks({
      ...doing({ leave: ['sleep', '1000'] }, { sleepMs: 60_000 }),
      ignoresCancel: true,
      ignoresEnd: true,
    });
    expect(end.outcome).toBe('cancelled');
    expect(alive(mark)).toBe(0);
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  test('before it started does not start', async () => {
    const { end, told } = await play({ script: {}, request: { signal: AbortSignal.abort() } });
    expect({ outcome: end.outcome, told }).toEqual({ outcome: 'cancelled', told: [] });
  });

  test('because of its silence has timed out', async () => {
    const limits = { wallMs: 60_000, inactivityMs: 700, turns: null, tokens: null, usd: null };
    const { end } = await play({ script: doing({ think: 'hm' }, { sleepMs: 60_000 }), request: { limits } });
    expect(end).toEqual({ outcome: 'timeout', reason: expect.stringContaining('silent') });
  });

  test('at the end of its work leaves no process behind', async () => {
    const { end, mark } = await play({
      script: { ...doing({ say: 'Bye.' }, { leave: ['sleep', '1000'] }), ignoresEnd: true },
    });
    expect(end.outcome).toBe('ok');
    expect(alive(mark)).toBe(0);
  });
});
