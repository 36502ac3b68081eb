import { expect, test } from 'vitest';
import type { AgentEvent } from '#agents/driver.ts';
import { Transcript } from './transcript.ts';

/** Sends the pieces, one second apart. */
function say(pieces: readonly string[]) {
  const events: AgentEvent[] = [];
  let now = 0;
  const transcript = new Transcript(
    (event) => events.push(event),
    () => now,
  );
  for (const text of pieces) {
    now += 1000;
    transcript.add({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }
  transcript.end();
  return {
    said: transcript.said,
    texts: events.flatMap((event) => (event.type === 'text' ? event.text : [])),
  };
}

test('a line that arrives in pieces is reported as one', () => {
  const pieces = ['One.\n', 'two.\n', 'The key is sk-', 'test', '-key\nand', ' that is', ' all\n', 'of it'];
  expect(say(pieces).texts.join('\n').split('\n')).toEqual([
    'One.',
    'two.',
    'The key is sk-test-key',
    'and that is all',
    'of it',
  ]);
});

test('text without a line end is reported, and not kept', () => {
  const { said, texts } = say(Array.from({ length: 100 }, () => 'x'.repeat(10_000)));
  expect(texts.join('')).toHaveLength(1_000_000);
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(70_000);
  expect(said.length).toBeLessThan(300_000);
});

test('at most 1000 announced tools are remembered', () => {
  const events: AgentEvent[] = [];
  const transcript = new Transcript((event) => events.push(event));
  for (let n = 0; n < 5000; n++)
    transcript.add({ sessionUpdate: 'tool_call', toolCallId: String(n), kind: 'execute', status: 'pending' });
  transcript.end();
  expect(events.filter((event) => event.type === 'tool' && event.status === 'begun')).toHaveLength(1000);
  expect(events.filter((event) => event.type === 'tool' && event.status === 'ended')).toHaveLength(1000);
});
