import { describe, expect, onTestFinished, test } from 'vitest';
import { ModelServer } from './model-server.ts';
import type { Fault, Reply } from './protocol.ts';

/** The smallest request of each protocol, and what its streamed answer must contain. */
const protocols = [
  {
    name: 'anthropic',
    path: '/v1/messages?beta=true',
    body: { model: 'm', tools: [{ name: 'Write' }] },
    later: (results: string[]) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'Write', input: {} }] },
      {
        role: 'user',
        content: results.map((content) => ({ type: 'tool_result', tool_use_id: '1', content })),
      },
    ],
    conversation: 'messages',
    end: 'event: message_stop',
  },
  {
    name: 'responses',
    path: '/v1/responses',
    body: { model: 'm', tools: [{ name: 'exec_command' }] },
    later: (results: string[]) => [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I begin' }] },
      { type: 'function_call', call_id: '1', name: 'exec_command', arguments: '{}' },
      ...results.map((output) => ({ type: 'function_call_output', call_id: '1', output })),
    ],
    conversation: 'input',
    end: 'event: response.completed',
  },
  {
    name: 'chat',
    path: '/v1/chat/completions',
    body: { model: 'm', tools: [{ type: 'function', function: { name: 'write' } }] },
    later: (results: string[]) => [
      { role: 'assistant', tool_calls: [{ id: '1', type: 'function', function: { name: 'write' } }] },
      ...results.map((content) => ({ role: 'tool', tool_call_id: '1', content })),
    ],
    conversation: 'messages',
    end: 'data: [DONE]',
  },
  {
    name: 'gemini',
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    wholePath: '/v1beta/models/m:generateContent',
    body: { tools: [{ functionDeclarations: [{ name: 'write_file' }] }] },
    later: (results: string[]) => [
      { role: 'model', parts: [{ functionCall: { name: 'write_file', args: {} } }] },
      {
        role: 'user',
        parts: results.map((output) => ({ functionResponse: { name: 'write_file', response: { output } } })),
      },
    ],
    conversation: 'contents',
    end: '"finishReason":"STOP"',
  },
] as const;

const question = { role: 'user', content: 'do it', parts: [{ text: 'do it' }] };

describe.each(protocols)('the $name server', ({ path, body, later, conversation, end, name, ...more }) => {
  const wholePath = 'wholePath' in more ? more.wholePath : path;

  async function serve(reply: Reply): Promise<{ server: ModelServer; ask: typeof ask }> {
    const server = await ModelServer.start(() => reply);
    onTestFinished(() => server.close());
    const ask = (more: { stream?: boolean; [key: string]: unknown } = {}, signal?: AbortSignal) =>
      fetch(`${server.url}${more.stream === false ? wholePath : path}`, {
        method: 'POST',
        body: JSON.stringify({ ...body, [conversation]: [question], stream: true, ...more }),
        ...(signal ? { signal } : {}),
      });
    return { server, ask };
  }

  test('answers as a stream and as a whole, and counts the cost', async () => {
    const { server, ask } = await serve({ say: 'hello', tokens: { in: 7, out: 3, cached: 2 } });
    expect(await (await ask()).text()).toContain(end);
    expect(JSON.stringify(await (await ask({ stream: false })).json())).toContain('hello');
    expect(server.spent).toEqual({ in: 14, out: 6, cached: 4, written: 0, reasoning: 0 });
  });

  test('knows the progress of a conversation from its text alone', async () => {
    const { server, ask } = await serve({ say: 'hello' });
    await ask();
    await ask({ [conversation]: [question, ...later(['it worked'])] });
    expect(server.asked).toMatchObject([
      { turn: 0, prompt: 'do it', results: [], protocol: name },
      { turn: 1, prompt: 'do it', results: [expect.stringContaining('it worked')], protocol: name },
    ]);
  });

  test('distinguishes side requests from the conversation', async () => {
    const { server, ask } = await serve({ say: 'hello' });
    expect(await (await ask({ tools: [] })).text()).not.toContain('hello');
    expect([server.requests.length, server.asked.length]).toEqual([1, 0]);
  });

  test.each([
    [
      { status: 429, retryAfter: 3 },
      { status: 429, wait: '3' },
    ],
    [{ status: 429 }, { status: 429, wait: null }],
    [{ status: 500 }, { status: 500, wait: null }],
    [{ status: 401 }, { status: 401, wait: null }],
  ] as [Fault, object][])('fails with %j', async (fault, expected) => {
    const { server, ask } = await serve({ fault });
    const response = await ask();
    expect({ status: response.status, wait: response.headers.get('retry-after') }).toEqual(expected);
    expect(await response.json()).toHaveProperty('error.message');
    expect(server.spent.in).toBe(0);
  });

  test('cuts a stream, and fills one with garbage', async () => {
    const cut = await (await serve({ say: 'hello', fault: 'cut' })).ask();
    await expect(cut.text()).rejects.toThrow();
    const garbage = await (await serve({ fault: 'garbage' })).ask();
    expect(garbage.status).toBe(200);
    expect(await garbage.text()).not.toContain(end);
  });

  test('stalls before its headers and in its middle', async () => {
    const { ask } = await serve({ say: 'hello', fault: 'silent' });
    await expect(ask({}, AbortSignal.timeout(200))).rejects.toThrow('timeout');
    const stalled = await (await serve({ say: 'hello', fault: 'stall' })).ask({}, AbortSignal.timeout(300));
    expect(stalled.status).toBe(200);
    await expect(stalled.text()).rejects.toThrow('timeout');
  });

  test('reports wrong usage, or none', async () => {
    const { ask } = await serve({ say: 'hello', tokens: 'absurd' });
    expect(await (await ask()).text()).toContain('1000000000000');
    const { server, ask: askOther } = await serve({ say: 'hello', tokens: 'missing' });
    expect(await (await askOther()).text()).not.toMatch(/(_tokens|TokenCount)":1/);
    expect(server.spent.in).toBe(0);
  });
});

test('unknown requests are recorded', async () => {
  const server = await ModelServer.start(() => ({}));
  onTestFinished(() => server.close());
  expect((await fetch(`${server.url}/v9/new`)).status).toBe(404);
  expect(server.unknown).toEqual(['GET /v9/new']);
});
