import { expect, test } from 'vitest';
import { StageClock } from './stage-clock.ts';

test('a stage lasts until the next one begins, and adds up when it begins again', () => {
  let now = 0;
  const clock = new StageClock<'read' | 'compare'>(() => now);
  clock.begin('read');
  now = 100;
  clock.begin('compare');
  now = 350;
  clock.begin('read');
  now = 400;
  expect(clock.finish()).toEqual([
    { name: 'read', seconds: 0.15 },
    { name: 'compare', seconds: 0.25 },
  ]);
});

test('time after the last stage counts for no stage', () => {
  let now = 0;
  const clock = new StageClock<'read'>(() => now);
  clock.begin('read');
  now = 100;
  clock.finish();
  now = 900;
  expect(clock.finish()).toEqual([{ name: 'read', seconds: 0.1 }]);
});
