import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AgentConfig } from '#schema/agent.ts';
import { agentRequest } from '#test/support/agent-request.ts';
import type { AgentDriver, AgentEnd, AgentEvent, AgentRequest } from './driver.ts';
import { ClaudeReader } from './drivers/claude/claude-reader.ts';
import { CodexReader } from './drivers/codex/codex-reader.ts';
import { playAgent } from './play-agent.ts';

const fine: AgentEnd = { outcome: 'ok', reason: '' };
const limits = { wallMs: 5_000, inactivityMs: 5_000, turns: null, tokens: null, usd: null };

interface Situation {
  readonly request?: Partial<AgentRequest>;
  readonly hasChanged?: boolean;
  readonly variables?: readonly string[];
  readonly report?: (event: AgentEvent) => void;
}

function play(
  agent: (report: (event: AgentEvent) => void, request: AgentRequest) => Promise<AgentEnd>,
  { request = {}, hasChanged = true, variables = [], report = () => {} }: Situation = {},
): Promise<AgentEnd> {
  const driver: AgentDriver = {
    name: 'test',
    variables,
    play: (given, doors) => agent((event) => doors.report(event), given),
  };
  const doors = {
    report,
    submit: () => ({ accepted: true }) as const,
    hasChanged: async () => hasChanged,
  };
  return playAgent(driver, agentRequest({ cwd: '/', scratch: '/', limits, ...request }), doors);
}

/** An agent that does nothing until it is cancelled. */
function hang(signal: AbortSignal): Promise<AgentEnd> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ outcome: 'cancelled', reason: '' }), { once: true });
  });
}

const call = { type: 'tool', tool: 'Bash', detail: 'npm test', call: '1' } as const;
const spends = (tokens: number, usd = 0) =>
  ({ type: 'usage', usage: { in: tokens, out: 0, usd } }) as const satisfies AgentEvent;
const denied = {
  type: 'permission',
  tool: 'Write',
  detail: 'a.txt',
  decision: 'denied',
} as const satisfies AgentEvent;

test('an agent whose login is refused is ended at once, with the way to log in', async () => {
  const end = await play((report, { signal }) => {
    const hung = hang(signal);
    report({
      type: 'retry',
      reason: 'HTTP 401 authentication_failed',
      waitMs: 60_000,
      isLoginRefused: true,
    });
    return hung;
  });
  expect(end.outcome).toBe('api_error');
  expect(end.reason).toContain('HTTP 401');
  expect(end.reason).toContain('log in: ');
});

test('an agent that has to wait before a retry gets the time', async () => {
  const end = await play(async (report) => {
    report({ type: 'retry', reason: 'HTTP 429 rate_limit', waitMs: 10 });
    return fine;
  });
  expect(end).toEqual(fine);
});

describe('limits', () => {
  test('wall clock', async () => {
    const end = await play((_, { signal }) => hang(signal), {
      request: { limits: { ...limits, wallMs: 30 } },
    });
    expect(end).toEqual({ outcome: 'timeout', reason: 'no end within 30 ms' });
  });

  test('a limit of months does not expire at once', async () => {
    const months = { ...limits, wallMs: 1e11, inactivityMs: 1e11 };
    const end = await play((_, { signal }) => Promise.race([hang(signal), wait(100).then(() => fine)]), {
      request: { limits: months },
    });
    expect(end).toEqual(fine);
  });

  test('silence, which a retry does not interrupt', async () => {
    const end = await play(
      async (report, { signal }) => {
        const timer = setInterval(() => report({ type: 'retry', reason: 'HTTP 429', waitMs: 5 }), 5);
        const stopped = await hang(signal);
        clearInterval(timer);
        return stopped;
      },
      { request: { limits: { ...limits, inactivityMs: 60 } } },
    );
    expect(end).toEqual({ outcome: 'timeout', reason: 'silent for 60 ms, last retry: HTTP 429' });
  });

  test('a running tool may be silent, and after it silence counts again', async () => {
    let toolTook = 0;
    const end = await play(
      async (report, { signal }) => {
        report({ ...call, status: 'begun' });
        const began = performance.now();
        await wait(200);
        toolTook = signal.aborted ? 0 : performance.now() - began;
        report({ ...call, status: 'ended' });
        return hang(signal);
      },
      { request: { limits: { ...limits, inactivityMs: 50 } } },
    );
    expect(toolTook).toBeGreaterThan(150);
    expect(end).toMatchObject({ outcome: 'timeout', reason: 'silent for 50 ms' });
  });

  test.for([
    ['turns', { type: 'turn' }, { turns: 2 }],
    ['tokens', spends(10), { tokens: 20 }],
    ['usd', spends(0, 0.5), { usd: 1 }],
  ] as const)('%s: reaching the limit is allowed, exceeding it is not', async ([name, event, limit]) => {
    const times = (count: number) =>
      play(
        async (report, { signal }) => {
          for (let n = 0; n < count; n++) report(event);
          return signal.aborted ? { outcome: 'cancelled', reason: '' } : fine;
        },
        { request: { limits: { ...limits, ...limit } } },
      );
    expect(await times(2)).toEqual(fine);
    expect(await times(3)).toMatchObject({ outcome: 'limit', reason: expect.stringContaining(name) });
  });

  test('the cost of an agent that does not report it is computed from the price of its model', async () => {
    const request = { model: 'priced', prices: { priced: { in: 1, out: 1 } }, limits: { ...limits, usd: 1 } };
    const spending = (...usd: number[]) =>
      play(
        async (report, { signal }) => {
          for (const each of usd) report(spends(each === 0 ? 600_000 : 0, each));
          return signal.aborted ? { outcome: 'cancelled', reason: '' } : fine;
        },
        { request },
      );
    expect(await spending(0)).toEqual(fine);
    expect(await spending(0, 0)).toMatchObject({ outcome: 'limit' });
    // A reported cost replaces the estimate.
    expect(await spending(0, 0.1, 0)).toEqual(fine);
  });

  test('an agent that is stopped from outside is cancelled, whatever else happened', async () => {
    const stop = new AbortController();
    const running = play((_, { signal }) => hang(signal), { request: { signal: stop.signal } });
    stop.abort();
    expect(await running).toMatchObject({ outcome: 'cancelled' });
  });
});

describe('the outcome is checked against the folder', () => {
  test('denied without any change is denied, whatever the agent says', async () => {
    const end = await play(
      async (report) => {
        report(denied);
        return fine;
      },
      { hasChanged: false },
    );
    expect(end).toEqual({ outcome: 'denied', reason: 'nothing was changed; it was denied Write a.txt' });
  });

  test('denied once, but with changes, counts as done', async () => {
    const end = await play(async (report) => {
      report(denied);
      return fine;
    });
    expect(end).toEqual(fine);
  });

  test('a read-only agent that changed files has failed', async () => {
    expect(await play(async () => fine, { request: { mode: 'read' } })).toMatchObject({ outcome: 'crashed' });
    expect(await play(async () => fine, { request: { mode: 'read' }, hasChanged: false })).toEqual(fine);
  });

  test('a read-only agent that changed files has failed, also if a limit ended it', async () => {
    const request = { mode: 'read', limits: { ...limits, wallMs: 30 } } as const;
    const ends = (hasChanged: boolean) => play((_, { signal }) => hang(signal), { request, hasChanged });
    expect(await ends(true)).toMatchObject({
      outcome: 'crashed',
      reason: expect.stringContaining('changed'),
    });
    expect(await ends(false)).toMatchObject({ outcome: 'timeout' });
  });

  test('a driver that throws counts as a crashed agent', async () => {
    const end = await play(() => Promise.reject(new Error('no such program')));
    expect(end).toEqual({ outcome: 'crashed', reason: 'no such program' });
  });
});

test.each([
  ['read', []],
  ['edit', ['lab']],
] as const)('in mode %s an agent gets the servers %j', async (mode, expected) => {
  let servers: string[] = [];
  const mcpServers = { lab: { command: 'lab', args: [], env: {} } };
  await play(
    async (_, given) => {
      servers = Object.keys(given.mcpServers);
      return fine;
    },
    { request: { mode, mcpServers }, hasChanged: false },
  );
  expect(servers).toEqual(expected);
});

test('an agent sees the variables it needs and no other secret', async () => {
  let seen: Readonly<Record<string, string>> = {};
  await play(
    async (_, { env }) => {
      seen = env;
      return fine;
    },
    {
      variables: ['TEST_AGENT_*'],
      request: {
        config: AgentConfig.parse({ env: ['SCHEMA_URL'] }),
        env: {
          PATH: '/bin',
          LC_ALL: 'C',
          JOINERY_ATTEMPT: 'r/a/1',
          TEST_AGENT_API_KEY: 'needed',
          SCHEMA_URL: 'asked for',
          OTHER_AGENT_API_KEY: 'secret',
          AWS_SECRET_ACCESS_KEY: 'secret',
          DATABASE_URL: 'postgres://user:secret@host',
          GITHUB_TOKEN: 'secret',
        },
      },
    },
  );
  expect(Object.keys(seen).sort()).toEqual([
    'JOINERY_ATTEMPT',
    'LC_ALL',
    'PATH',
    'SCHEMA_URL',
    'TEST_AGENT_API_KEY',
  ]);
});

test('a secret is redacted before anything is cut', async () => {
  const key = 'sk-a-rather-long-key-of-the-agent';
  const command = `${'x'.repeat(290)} ${key}`;
  const claude = new ClaudeReader();
  const codex = new CodexReader({ version: null, model: null, before: spends(0).usage, rollout: () => null });
  const content = [{ type: 'tool_use', id: '1', name: 'Bash', input: { command } }];
  const item = { id: '1', type: 'command_execution', command, aggregated_output: '', status: '' };
  const told: string[] = [];
  const end = await play(
    async (report) => {
      const events = [
        ...claude.read(JSON.stringify({ type: 'assistant', message: { content } })),
        ...codex.read(JSON.stringify({ type: 'item.started', item })),
      ];
      for (const event of events) report(event);
      return { outcome: 'crashed', reason: `${'x'.repeat(490)} ${key}` };
    },
    {
      request: { env: { API_KEY: key }, config: AgentConfig.parse({ env: ['API_KEY'] }) },
      report: (event) => void (event.type === 'tool' && told.push(event.detail)),
    },
  );
  expect(told).toEqual(Array(2).fill(`${'x'.repeat(290)} [API_KEY]`));
  expect(end.reason).toBe(`${'x'.repeat(490)} [API_KEY]`);
});

test('an agent that points a tool at withheld files is reported, whichever program it is', async () => {
  const seen: AgentEvent[] = [];
  const tool = { type: 'tool', tool: 'Bash', status: 'begun', call: '1' } as const;
  await play(
    async (report) => {
      for (const detail of ['cat /state/reports/r1/plan.json', 'cat /state/own/a.ts', 'ls /elsewhere'])
        report({ ...tool, detail });
      return fine;
    },
    {
      request: { cwd: '/state/own', scratch: '/state/scratch', withheld: ['/state'] },
      report: (event) => seen.push(event),
    },
  );
  expect(seen.filter(({ type }) => type === 'incident')).toEqual([
    {
      type: 'incident',
      kind: 'read-withheld',
      detail: 'it reached for what is kept from it (Bash: cat /state/reports/r1/plan.json)',
    },
  ]);
});
