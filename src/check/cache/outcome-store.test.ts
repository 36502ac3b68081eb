import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OutcomeStore } from './outcome-store.ts';

function openStore(folder = mkdtempSync(join(tmpdir(), 'joinery-outcomes-'))): OutcomeStore {
  const store = new OutcomeStore(join(folder, 'outcomes.db'), { surroundings: 'here', maxBytes: 1e8 });
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

test('an answer is known as soon as it is recorded', () => {
  const store = openStore();
  store.remember(['one', 1], { value: 1 });
  store.rememberText(['two'], '{"value":2}');
  expect(store.read([['two'], ['none'], ['one', 1]])).toEqual([{ value: 2 }, undefined, { value: 1 }]);
  store.keep();
  expect(store.read([['two'], ['none'], ['one', 1]])).toEqual([{ value: 2 }, undefined, { value: 1 }]);
});

test('a question is worked out once, however many ask at the same time', async () => {
  const store = openStore();
  let count = 0;
  const ask = () =>
    store.answer(['data', 'a.json'], async () => {
      count++;
      return { entities: [] };
    });
  const answers = [...(await Promise.all([ask(), ask(), ask()])), await ask()];
  store.keep();
  answers.push(await ask());
  expect({ count, answers }).toEqual({ count: 1, answers: answers.map(() => ({ entities: [] })) });
});

test('a question that could not be worked out is asked again', async () => {
  const store = openStore();
  const broken = store.answer(['data', 'a.json'], () => Promise.reject(new Error('no parser')));
  await expect(broken).rejects.toThrow('no parser');
  expect(await store.answer(['data', 'a.json'], async () => 1)).toBe(1);
});

test('nothing recorded before a damaged answer counts afterwards', () => {
  const store = openStore();
  store.remember(['one'], 1);
  store.forget();
  expect(store.read([['one']])).toEqual([undefined]);
});
