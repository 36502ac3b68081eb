import { expect, test } from 'vitest';
import type { AgentEvent } from '#agents/driver.ts';
import { addUsage, Usage } from '#schema/run.ts';
import { EventBound, saneEvent } from './bound-events.ts';

const text = (length: number): AgentEvent => ({ type: 'text', text: 'x'.repeat(length) });
const tool: AgentEvent = {
  type: 'tool',
  tool: 'Bash',
  detail: 'x'.repeat(5000),
  status: 'begun',
  call: '1',
};

test('the input of a tool is shortened', () => {
  expect(saneEvent(tool)).toEqual({ ...tool, detail: 'x'.repeat(300) });
});

const spends: AgentEvent = { type: 'usage', usage: { in: 1, out: 2, usd: 0 } };
const turn: AgentEvent = { type: 'turn' };

test('an agent that says too much is reported once, and its usage still counts', () => {
  const bound = new EventBound(10_000);
  const incident: AgentEvent = { type: 'incident', kind: 'committed', detail: 'x' };
  const told = [text(4000), spends, text(6000), text(10), tool, incident].map((event) => bound.bound(event));
  expect(told.map(({ type }) => type)).toEqual(['text', 'usage', 'text', 'alive', 'alive', 'incident']);
  expect(told[2]).toEqual({ type: 'text', text: expect.stringContaining('nothing is recorded') });
});

test.each<[string, AgentEvent]>([
  ['words', text(1)],
  ['costs', spends],
  ['turns', turn],
  ['beginnings', { type: 'started', session: '1', version: null, model: null }],
])('endless %s are limited too', (_, event) => {
  const bound = new EventBound(10_000);
  const told = Array.from({ length: 100_000 }, () => bound.bound(event));
  expect(told.filter(({ type }) => type !== 'alive').length).toBeLessThan(80);
});

test('usage that is not recorded one by one is summed up, and none of it is lost', () => {
  const bound = new EventBound(1000);
  const events = Array.from({ length: 1000 }, (_, n) => (n % 2 === 0 ? spends : turn));
  const told = [...events.map((event) => bound.bound(event)), bound.rest(), bound.rest()];
  const total: Usage = { in: 0, out: 0, usd: 0 };
  for (const event of told) {
    if (event.type === 'usage') addUsage(total, event.usage);
    if (event.type === 'turn') addUsage(total, { in: 0, out: 0, usd: 0, turns: 1 });
  }
  expect(total).toEqual({ in: 500, out: 1000, usd: 0, turns: 500 });
});

test('invalid figures do not reach the log', () => {
  const usage = { in: -1, out: Number.POSITIVE_INFINITY, usd: Number.NaN, cached: 3, model: 'm' };
  const { usage: sane } = saneEvent({ type: 'usage', usage }) as { usage: Usage };
  expect(Usage.parse(sane)).toEqual({ in: 0, out: Number.MAX_SAFE_INTEGER, usd: 0, cached: 3, model: 'm' });
  expect(saneEvent({ type: 'retry', reason: 'x', waitMs: -5 })).toMatchObject({ waitMs: 0 });
  expect(saneEvent({ type: 'retry', reason: 'x', waitMs: null })).toMatchObject({ waitMs: null });
});
