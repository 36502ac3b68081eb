import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '#agents/driver.ts';
import { Scenario } from '#schema/scenario.ts';
import { agentRequest } from '#test/support/agent-request.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { scriptedDriver } from './scripted.ts';

async function play(
  actions: object[],
  prepare: (cwd: string) => void = () => {},
  signal = new AbortController().signal,
) {
  const cwd = temporaryFolder();
  prepare(cwd);
  const events: AgentEvent[] = [];
  const handoffs: unknown[] = [];
  const scenario = Scenario.parse({ schema: 'joinery/scenario@1', attempts: [{ task: 'a', do: actions }] });
  const request = agentRequest({ cwd, scratch: cwd, signal });
  const end = await scriptedDriver(scenario).play(request, {
    report: (event) => events.push(event),
    submit(raw) {
      handoffs.push(raw);
      return { accepted: true };
    },
    hasChanged: async () => true,
  });
  return { cwd, end, events, handoffs };
}

describe('the scripted agent', () => {
  test('writes, edits and deletes, and hands in what it changed', async () => {
    const { cwd, end, handoffs, events } = await play(
      [
        { write: { path: 'deep/new.txt', content: 'x' } },
        { edit: { path: 'old.txt', find: 'one', replace: '$1 $& two' } },
        { delete: 'gone.txt' },
        { usage: { in: 3 } },
      ],
      (dir) => {
        writeFileSync(join(dir, 'old.txt'), 'one one');
        writeFileSync(join(dir, 'gone.txt'), '');
      },
    );
    expect(end.outcome).toBe('ok');
    expect(readFileSync(join(cwd, 'deep/new.txt'), 'utf8')).toBe('x');
    expect(readFileSync(join(cwd, 'old.txt'), 'utf8')).toBe('$1 $& two one');
    expect(existsSync(join(cwd, 'gone.txt'))).toBe(false);
    expect(handoffs).toMatchObject([{ step: 'a', files: ['deep/new.txt', 'old.txt', 'gone.txt'] }]);
    expect(events.at(-1)).toEqual({ type: 'usage', usage: { in: 3, out: 0, usd: 0 } });
  });

  test('ends as the script says, and does nothing afterwards', async () => {
    const { cwd, end, handoffs } = await play([{ exit: 'limit' }, { write: { path: 'x', content: '' } }]);
    expect(end.outcome).toBe('limit');
    expect(existsSync(join(cwd, 'x'))).toBe(false);
    expect(handoffs).toEqual([]);
  });

  test('crashes if the text to edit or the file to delete is missing', async () => {
    expect((await play([{ edit: { path: 'no.txt', find: 'x', replace: 'y' } }])).end.outcome).toBe('crashed');
    expect((await play([{ delete: 'no.txt' }])).end.outcome).toBe('crashed');
  });

  test('stops at once when cancelled', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    const before = performance.now();
    expect((await play([{ sleepMs: 60_000 }], () => {}, stop.signal)).end.outcome).toBe('cancelled');
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  test.each([
    '..',
    '../x',
    '/tmp/x',
    'a/../../x',
    '.git',
    '.git/config',
    'sub/.GIT/x',
    'link/x',
    'file-link',
    '.',
    'a\0b',
  ])('is denied %j', async (path) => {
    const outside = temporaryFolder();
    const { end } = await play([{ write: { path, content: 'escaped' } }], (dir) => {
      mkdirSync(join(dir, 'sub'));
      symlinkSync(outside, join(dir, 'link'));
      symlinkSync(join(outside, 'target'), join(dir, 'file-link'));
    });
    expect(end.outcome).toBe('denied');
    expect(existsSync(join(outside, 'x')) || existsSync(join(outside, 'target'))).toBe(false);
  });
});
