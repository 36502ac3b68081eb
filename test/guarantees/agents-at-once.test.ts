import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunEvent } from '#schema/event.ts';
import { task } from '../support/engine-bench.ts';
import { makeRepo } from '../support/engine-repo.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

/** A run of two tasks in its own repository; the state folder is shared. */
function crew(env: Record<string, string>) {
  const repo = makeRepo();
  const file = (name: string, content: object) => {
    const path = join(repo.stateDir, '..', name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const plan = file('plan.json', { schema: 'joinery/plan@1', tasks: [task('a'), task('b')] });
  const work = (id: string) => ({
    task: id,
    do: [{ say: 'begins' }, { sleepMs: 400 }, { write: { path: id, content: id } }],
  });
  const scenario = file('scenario.json', { schema: 'joinery/scenario@1', attempts: [work('a'), work('b')] });
  const call = (...args: string[]) => joinery([...args, '--json'], { cwd: repo.dir, env });
  return {
    run: () => call('run', '--no-land', '--plan', plan, '--agent', 'scripted', '--scenario', scenario),
    events: async () => (JSON.parse((await call('logs')).stdout) as { events: RunEvent[] }).events,
  };
}

/** When agents worked: from their prompt to their end. */
function spansOf(events: readonly RunEvent[]): { from: number; to: number }[] {
  const at = (type: RunEvent['type'], step: string | undefined) =>
    Date.parse(events.find((event) => event.type === type && event.step === step)?.at ?? '');
  return ['a', 'b'].map((step) => ({ from: at('attempt.prompted', step), to: at('attempt.played', step) }));
}

test('agents of all runs on a machine share its slots', async () => {
  const env = { JOINERY_STATE_DIR: temporaryFolder(), JOINERY_MAX_AGENTS: '1' };
  const crews = [crew(env), crew(env)];
  const ends = await Promise.all(crews.map(({ run }) => run()));
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  const logs = await Promise.all(crews.map(({ events }) => events()));
  const spans = logs.flatMap(spansOf).toSorted((a, b) => a.from - b.from);
  expect(spans).toHaveLength(4);
  for (const [index, { from }] of spans.entries()) {
    if (index > 0) expect(from).toBeGreaterThanOrEqual(spans[index - 1]?.to ?? Number.POSITIVE_INFINITY);
  }
  const waits = logs
    .flat()
    .filter(({ type, data }) => type === 'attempt.used' && (data as { tool: string }).tool === 'waits');
  expect(waits.length).toBeGreaterThanOrEqual(1);
});
