import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { takeOverSignals } from '#crew/run-plan.ts';
import { exampleHandoff } from '#schema/handoff.ts';
import { type Bench, openBench, task } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';

test('a message from a person reaches the agent in its next turn; a stopped task fails alone and can be retried', async () => {
  const repo = makeRepo();
  const heard: string[] = [];
  const prompts: string[] = [];
  const bench: Bench = await openBench(
    repo,
    { attempts: [] },
    {
      driver: () => ({
        name: 'scripted',
        variables: [],
        async play(request, doors) {
          const { run, task: id, attempt, role, signal } = request;
          const { engine } = bench.workshop;
          const hasRecorded = (type: string) => [...engine.read(run)].some((event) => event.type === type);
          prompts.push(`${id} ${request.prompt.includes('mind the gap')}`);
          if (id === 'stuck' && attempt === 1) {
            engine.signal(run, {
              id: 'stop-1',
              name: 'stop',
              payload: { task: 'stuck', reason: 'wrong library' },
              by: 'ada (dashboard)',
            });
            await wait(60_000, undefined, { signal }).catch(() => {});
            return { outcome: 'cancelled', reason: '' };
          }
          if (id === 'talk')
            engine.signal(run, {
              id: 'steer-1',
              name: 'steer',
              payload: { task: 'talk', text: 'mind the gap' },
              by: 'ada (dashboard)',
            });
          while (id === 'talk' && !hasRecorded('step.steered')) await wait(10, undefined, { signal });
          writeFileSync(join(request.cwd, `${id}.txt`), `${id}\n`);
          const handoff = { ...exampleHandoff(run, id, attempt, role), decisions: [], assumptions: [] };
          for (let turn = 0; turn < 3; turn++) {
            const answer = doors.submit({ ...handoff, files: [`${id}.txt`] });
            if (answer.accepted) break;
            heard.push(answer.text);
          }
          return { outcome: 'ok', reason: '' };
        },
      }),
    },
  );
  const run = bench.start({ tasks: [task('talk'), task('stuck'), task('after', { dependsOn: ['stuck'] })] });
  const state = await bench.drive(run, { stop: AbortSignal.timeout(60_000) });
  expect([...state.steps.values()].map(({ status }) => status)).toEqual(['accepted', 'failed', 'skipped']);
  expect(state.steps.get('stuck')).toMatchObject({ reason: 'stopped by a person: wrong library' });
  expect(state.steps.get('stuck')?.attempts.at(-1)?.endedAt).not.toBeNull();
  expect(heard).toHaveLength(1);
  expect(heard[0]).toContain('> mind the gap');
  const sent = [...bench.workshop.engine.read(run)].flatMap((event) =>
    event.type === 'run.signalled' ? [`${event.data.name} by ${event.data.by}`] : [],
  );
  expect(sent.sort()).toEqual(['steer by ada (dashboard)', 'stop by ada (dashboard)']);

  // A process that drives nothing also takes the signal, and the next prompt contains the message.
  bench.workshop.engine.signal(run, {
    id: 'retry-1',
    name: 'retry',
    payload: { task: 'stuck', context: '' },
  });
  bench.workshop.engine.signal(run, {
    id: 'steer-2',
    name: 'steer',
    payload: { task: 'stuck', text: 'mind the gap' },
  });
  await takeOverSignals(bench.workshop, run, 'listener');
  const after = await bench.drive(run, { stop: AbortSignal.timeout(60_000) });
  expect(after.status).toBe('done');
  expect(prompts.filter((line) => line.startsWith('stuck'))).toEqual(['stuck false', 'stuck true']);
  expect(heard).toHaveLength(1);
  bench.close();
});
