import { expect, test } from 'vitest';
import { decideAtDashboard } from '#app/workplace/decision.ts';
import { chooseRun, stateOfRun } from '#crew/state/catalogue.ts';
import { openBench, task } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { answerQuestion } from './answer-question.ts';
import type { RunRoom } from './run-room.ts';

test('an answer that comes too late is refused with a reason', async () => {
  const bench = await openBench(makeRepo(), { attempts: [{ task: 'a', do: [{ exit: 'denied' }] }] });
  const run = bench.start({ tasks: [task('a')] });
  await bench.drive(run);
  const { engine } = bench.runs;
  const room = {
    repository: bench.repository,
    runs: bench.runs,
    workshop: () => bench.workshop,
    state: (id: string) => stateOfRun(engine, id),
    choose: (named: string | undefined) => chooseRun(engine, named, 'any'),
  } as unknown as RunRoom;
  engine.signal(run, { id: 'first', name: 'answer', payload: { question: 'a-1', answer: 'leave' } });
  const words = { answer: 'stop', text: undefined };
  await expect(
    answerQuestion(room, decideAtDashboard(), { run, all: true }, 'a-1', words),
  ).rejects.toMatchObject({
    code: 'too-late',
    exitCode: 2,
    message: expect.stringContaining('leave'),
  });
  bench.close();
});

test('an undelivered signal can be withdrawn, a delivered one cannot', async () => {
  const bench = await openBench(makeRepo(), { attempts: [] });
  const run = bench.start({ tasks: [task('a')] });
  const { engine } = bench.runs;
  engine.signal(run, { id: 'one', name: 'cancel', payload: null });
  expect(engine.withdraw(run, 'one')).toBe(true);
  expect(engine.withdraw(run, 'one')).toBe(false);
  engine.signal(run, { id: 'two', name: 'cancel', payload: null });
  expect((await bench.drive(run)).status).toBe('cancelled');
  expect(engine.withdraw(run, 'two')).toBe(false);
  bench.close();
});
