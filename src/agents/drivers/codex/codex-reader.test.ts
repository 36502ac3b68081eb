import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { replayStream } from '#test/support/replay-stream.ts';
import { CodexReader } from './codex-reader.ts';
import { Rollout } from './rollout.ts';

const nothing = { in: 0, out: 0, usd: 0 };
const facts = { version: '0.166.0', model: 'm', before: nothing, rollout: () => null };
const recordings = new URL('../../../../test/recordings/agents/codex/', import.meta.url);
const replay = (name: string, before = nothing) =>
  replayStream(new URL(`${name}.jsonl`, recordings), new CodexReader({ ...facts, before }));

describe('recorded sessions of Codex', () => {
  test('an edit; a warning that looks like an error is not one', () => {
    const { end, usage, counts, events } = replay('edits-says-who-it-is-and-what-it-cost-to');
    expect(end).toEqual({ outcome: 'ok', reason: '' });
    expect(usage).toEqual({ in: 240, out: 34, cached: 40, usd: 0 });
    expect(counts).toMatchObject({ started: 1, tool: 2, text: 2 });
    expect(counts).not.toHaveProperty('retry');
    expect(events).toContainEqual(expect.objectContaining({ tool: 'file change', status: 'ended' }));
  });

  test('totals of a resumed conversation count from where it was', () => {
    const { usage } = replay('edits-says-who-it-is-and-what-it-cost-to', { in: 200, out: 30, usd: 0 });
    expect(usage).toMatchObject({ in: 40, out: 4 });
  });

  test.each([
    ['status-429-for-ever-is-api_error', '429 Too Many Requests'],
    ['status-500-for-ever-is-api_error', 'high demand'],
  ])('a permanent API failure: %s', (name, reason) => {
    const { end, usage } = replay(name);
    expect(end).toMatchObject({ outcome: 'api_error', reason: expect.stringContaining(reason) });
    expect(usage).toEqual(nothing);
  });

  test('killed sessions have no end line', () => {
    expect(replay('ends-at-its-limit-of-turns').end).toBeNull();
    expect(replay('ends-when-it-is-cancelled-with-its-tools').end).toBeNull();
  });
});

describe('the rollout file that Codex writes', () => {
  const total = (input: number, output: number) =>
    JSON.stringify({
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: { total_token_usage: { input_tokens: input, output_tokens: output, cached_input_tokens: 5 } },
      },
    });

  function record(): { home: string; file: string } {
    const home = temporaryFolder();
    const folder = join(home, 'sessions', '2026', '11', '15');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'rollout-2026-11-15T10-00-00-thread-1.jsonl');
    writeFileSync(file, '{"type":"session_meta"}\n');
    return { home, file };
  }

  test('counts each answer when it arrives, once, and half a line when it is complete', () => {
    const { home, file } = record();
    const reader = new CodexReader({ ...facts, rollout: (thread) => Rollout.find(home, thread) });
    expect(reader.poll()).toEqual([]);
    reader.read('{"type":"thread.started","thread_id":"thread-1"}');
    expect(reader.poll()).toEqual([]);
    const line = total(100, 10);
    appendFileSync(file, line.slice(0, 40));
    expect(reader.poll()).toEqual([]);
    appendFileSync(file, `${line.slice(40)}\n${line}\n`);
    expect(reader.poll()).toEqual([
      { type: 'usage', usage: { in: 100, out: 10, usd: 0, cached: 5 } },
      { type: 'turn' },
    ]);
    appendFileSync(file, `${total(150, 12)}\n`);
    const usage =
      '"usage":{"input_tokens":150,"cached_input_tokens":5,"output_tokens":12,"reasoning_output_tokens":0}';
    expect(reader.read(`{"type":"turn.completed",${usage}}`)).toEqual([
      { type: 'usage', usage: { in: 50, out: 2, usd: 0 } },
      { type: 'turn' },
    ]);
  });

  test('names the model that Codex chose, so that its tokens have a price', () => {
    const { home, file } = record();
    const rollout = (thread: string) => Rollout.find(home, thread);
    const reader = new CodexReader({ ...facts, model: null, rollout });
    reader.read('{"type":"thread.started","thread_id":"thread-1"}');
    const turn = { type: 'turn_context', payload: { cwd: '/w', model: 'gpt-5.2-codex' } };
    appendFileSync(file, `${JSON.stringify(turn)}\n${total(100, 10)}\n`);
    expect(reader.poll()[0]).toEqual({
      type: 'usage',
      usage: { in: 100, out: 10, usd: 0, cached: 5, model: 'gpt-5.2-codex' },
    });
  });

  test('reports a refused patch, which the output does not mention', () => {
    const { home, file } = record();
    const reader = new CodexReader({ ...facts, rollout: (thread) => Rollout.find(home, thread) });
    reader.read('{"type":"thread.started","thread_id":"thread-1"}');
    const output = 'patch rejected: writing outside of the project; rejected by user approval settings';
    appendFileSync(file, `${JSON.stringify({ payload: { type: 'function_call_output', output } })}\n`);
    expect(reader.poll()).toEqual([
      { type: 'permission', tool: 'file change', detail: output, decision: 'denied' },
    ]);
  });

  test('may be missing', () => {
    const reader = new CodexReader({ ...facts, rollout: (thread) => Rollout.find('/nowhere', thread) });
    reader.read('{"type":"thread.started","thread_id":"thread-1"}');
    expect(reader.poll()).toEqual([]);
  });
});

test.each([
  ['echo x > /etc/y', '/bin/bash: /etc/y: Read-only file system', 0, 1],
  ['npm test', 'all fine', 0, 0],
  ['npm test', '1 test failed', 1, 0],
])('a command and the sandbox output: %s, %s', (command, output, code, denials) => {
  const item = { id: '1', type: 'command_execution', command, aggregated_output: output, exit_code: code };
  const line = JSON.stringify({ type: 'item.completed', item: { ...item, status: 'completed' } });
  const events = new CodexReader(facts).read(line);
  expect(events.filter(({ type }) => type === 'permission')).toHaveLength(denials);
});
