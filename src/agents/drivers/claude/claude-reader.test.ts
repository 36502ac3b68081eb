import { describe, expect, test } from 'vitest';
import { replayStream } from '#test/support/replay-stream.ts';
import { ClaudeReader } from './claude-reader.ts';

const recordings = new URL('../../../../test/recordings/agents/claude/', import.meta.url);
const replay = (name: string) => replayStream(new URL(`${name}.jsonl`, recordings), new ClaudeReader());

describe('recorded sessions of Claude Code', () => {
  test('an edit', () => {
    const { end, usage, counts, events } = replay('edits-says-who-it-is-and-what-it-cost-to');
    expect(end).toEqual({ outcome: 'ok', reason: '' });
    expect(usage).toEqual({ in: 240, out: 34, cached: 40, usd: expect.closeTo(0.001122, 6) });
    expect(counts).toMatchObject({ started: 1, turn: 2, tool: 2, text: 2 });
    expect(events[0]).toMatchObject({ version: '2.1.325', model: 'claude-sonnet-4-5' });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool', tool: 'Write', detail: '/work/hello.txt', status: 'begun' }),
    );
  });

  test('a refused write ends in success; the refusal is an event', () => {
    const { end, events } = replay('that-was-refused-and-changed-nothing-is-');
    expect(end?.outcome).toBe('ok');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'permission', tool: 'Write', decision: 'denied' }),
    );
  });

  test('the turn limit', () => {
    expect(replay('ends-at-its-limit-of-turns').end).toMatchObject({ outcome: 'limit' });
  });

  test.each(['status-429-for-ever-is-api_error', 'status-500-for-ever-is-api_error'])(
    'a permanent API failure: %s',
    (name) => {
      const { end, counts, usage } = replay(name);
      expect(end).toMatchObject({ outcome: 'api_error', reason: expect.stringContaining('API Error') });
      expect(counts).toMatchObject({ retry: 1 });
      expect(usage).toEqual({ in: 0, out: 0, usd: 0 });
    },
  );

  test('a temporary failure leaves a retry event and nothing else', () => {
    const { end, counts, events } = replay('a-fault-that-passes-is-retried-and-forgo');
    expect(end?.outcome).toBe('ok');
    expect(counts).toMatchObject({ retry: 1, turn: 2 });
    expect(events.find(({ type }) => type === 'retry')).toMatchObject({
      reason: expect.stringContaining('HTTP 500'),
    });
  });

  test('a cancelled session has spent tokens, and is no success', () => {
    const { end, usage } = replay('ends-when-it-is-cancelled-with-its-tools');
    expect(end?.outcome).not.toBe('ok');
    expect(usage).toMatchObject({ in: 100, out: 10 });
  });
});

test('answers streamed at the same time, as by sub-agents, are kept separate', () => {
  const reader = new ClaudeReader();
  const line = (id: string, event: object) =>
    reader.read(JSON.stringify({ type: 'stream_event', api_message_id: id, event }));
  line('a', { type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } });
  line('b', { type: 'message_start', message: { usage: { input_tokens: 20, output_tokens: 1 } } });
  line('a', { type: 'message_delta', usage: { output_tokens: 5 } });
  line('b', { type: 'message_delta', usage: { output_tokens: 7, input_tokens: null } });
  expect([...line('b', { type: 'message_stop' }), ...line('a', { type: 'message_stop' })]).toMatchObject([
    { usage: { in: 20, out: 7 } },
    { type: 'turn' },
    { usage: { in: 10, out: 5 } },
    { type: 'turn' },
  ]);
});

test('an interrupted answer is charged, once', () => {
  const lines = [
    { type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } },
    { type: 'message_delta', usage: { output_tokens: 4 } },
  ].map((event) => JSON.stringify({ type: 'stream_event', api_message_id: 'a', event }));
  const heard = (...more: string[]) => {
    const reader = new ClaudeReader();
    const events = [...lines, ...more].flatMap((line) => reader.read(line));
    return [...events, ...reader.rest()];
  };
  expect(heard()).toEqual([{ type: 'usage', usage: { in: 10, out: 4, usd: 0 } }]);
  const stop = { type: 'stream_event', api_message_id: 'a', event: { type: 'message_stop' } };
  expect(heard(JSON.stringify(stop))).toHaveLength(2);
  const result = { type: 'result', subtype: 'success', usage: { input_tokens: 10, output_tokens: 4 } };
  expect(heard(JSON.stringify(result))).toHaveLength(1);
});

test('unknown lines produce no events', () => {
  const reader = new ClaudeReader();
  const lines = [
    '',
    '{',
    'null',
    '[]',
    '{"type":"system"}',
    '{"type":"assistant","message":{"content":"x"}}',
  ];
  expect(lines.flatMap((line) => reader.read(line))).toEqual([]);
  expect(reader.end).toBeNull();
});

test('answers of a sub-agent count while it works, once each', () => {
  const reader = new ClaudeReader();
  const answer = (id: string) =>
    reader.read(
      JSON.stringify({
        type: 'assistant',
        parent_tool_use_id: 'toolu_1',
        message: {
          id,
          content: [{ type: 'tool_use', id: `${id}-tool`, name: 'Bash', input: { command: 'ls' } }],
          usage: { input_tokens: 1200, output_tokens: 1 },
        },
      }),
    );
  const spent = { type: 'usage', usage: { in: 1200, out: 1, usd: 0 } };
  expect(answer('msg_1')).toEqual([spent, { type: 'turn' }, expect.objectContaining({ type: 'tool' })]);
  expect(answer('msg_1')).toEqual([expect.objectContaining({ type: 'tool' })]);
  expect(answer('msg_2')).toContainEqual({ type: 'turn' });
  const end = { type: 'result', subtype: 'success', usage: { input_tokens: 2400, output_tokens: 90 } };
  expect(reader.read(JSON.stringify(end))).toEqual([{ type: 'usage', usage: { in: 0, out: 88, usd: 0 } }]);
});
