import { expect, test } from 'vitest';
import { Usage } from '../model/run.ts';
import { boundEvents, saneEvent } from './bound-events.ts';
import type { AgentEvent } from './driver.ts';

const text = (length: number): AgentEvent => ({ type: 'text', text: 'x'.repeat(length) });
const tool: AgentEvent = {
  type: 'tool',
  tool: 'Bash',
  detail: 'x'.repeat(5000),
  status: 'begun',
  call: '1',
};

test('what a tool does is told in short', () => {
  expect(saneEvent(tool)).toEqual({ ...tool, detail: 'x'.repeat(300) });
});

test('who says too much is told so once, and is counted all the same', () => {
  const bound = boundEvents(10_000);
  const spends: AgentEvent = { type: 'usage', usage: { in: 1, out: 1, usd: 0 } };
  const incident: AgentEvent = { type: 'incident', kind: 'committed', detail: 'x' };
  const told = [
    text(4000),
    spends,
    text(6000),
    text(10),
    tool,
    { type: 'turn' } as const,
    spends,
    incident,
  ].map(bound);
  expect(told.map(({ type }) => type)).toEqual([
    'text',
    'usage',
    'text',
    'alive',
    'alive',
    'turn',
    'usage',
    'incident',
  ]);
  expect(told[2]).toEqual({ type: 'text', text: expect.stringContaining('nothing is recorded') });
});

test('small events without end are bounded too', () => {
  const bound = boundEvents(10_000);
  const told = Array.from({ length: 1000 }, () => bound(text(1)));
  expect(told.filter(({ type }) => type === 'text').length).toBeLessThan(60);
});

test('figures that are none do not reach the log', () => {
  const usage = { in: -1, out: Number.POSITIVE_INFINITY, usd: Number.NaN, cached: 3, model: 'm' };
  const { usage: sane } = saneEvent({ type: 'usage', usage }) as { usage: Usage };
  expect(Usage.parse(sane)).toEqual({ in: 0, out: Number.MAX_SAFE_INTEGER, usd: 0, cached: 3, model: 'm' });
  expect(saneEvent({ type: 'retry', reason: 'x', waitMs: -5 })).toMatchObject({ waitMs: 0 });
  expect(saneEvent({ type: 'retry', reason: 'x', waitMs: null })).toMatchObject({ waitMs: null });
});
