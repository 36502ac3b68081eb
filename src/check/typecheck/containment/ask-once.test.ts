import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { askOnce } from './ask-once.ts';
import { CheckerFailure } from './containment.ts';
import { ResultStore } from './result-store.ts';

function questioner() {
  const store = new ResultStore(temporaryFolder());
  let times = 0;
  const ask = (limitMs: number, answer: () => unknown) =>
    askOnce(store, ['tree', 'checker'], limitMs, async () => {
      times++;
      return answer();
    });
  return { ask, times: () => times };
}

const timesOut = () => {
  throw CheckerFailure.timeout(2000);
};

test('a checker runs once for the same question', async () => {
  const { ask, times } = questioner();
  expect(await ask(1000, () => 'yes')).toBe('yes');
  expect(await ask(1000, () => 'no')).toBe('yes');
  expect(times()).toBe(1);
});

test('a checker that timed out runs again only with a higher limit', async () => {
  const { ask, times } = questioner();
  await expect(ask(2000, timesOut)).rejects.toMatchObject({ kind: 'timeout' });
  await expect(ask(2000, () => 'late')).rejects.toMatchObject({ kind: 'timeout' });
  await expect(ask(1000, () => 'late')).rejects.toMatchObject({ kind: 'timeout' });
  expect(times()).toBe(1);
  expect(await ask(3000, () => 'late')).toBe('late');
  expect(await ask(1000, () => 'again')).toBe('late');
  expect(times()).toBe(2);
});

test('a checker stopped at work and one that never loaded are cached as different results', async () => {
  for (const isCutOff of [true, false]) {
    const { ask } = questioner();
    const fails = () => {
      throw new CheckerFailure('timeout', 'too late', isCutOff);
    };
    for (let time = 0; time < 2; time++)
      await expect(ask(2000, fails)).rejects.toMatchObject({ kind: 'timeout', isCutOff });
  }
});

test('a crash is not cached: the next check runs the checker again', async () => {
  const { ask, times } = questioner();
  const crashes = () => {
    throw new CheckerFailure('crashed', 'it was ended');
  };
  await expect(ask(1000, crashes)).rejects.toMatchObject({ kind: 'crashed' });
  expect(await ask(1000, () => 'yes')).toBe('yes');
  expect(times()).toBe(2);
});
