import { expect, test } from 'vitest';
import { Effort, notAsked } from './effort.ts';

test('shows what is checked, how often, and how much of the expected time is used', () => {
  const lines: string[] = [];
  const effort = new Effort({ progress: (text) => lines.push(text) });
  effort.allows(12);
  effort.begin('app/tsconfig.json');
  effort.spend(2600);
  effort.begin('app/tsconfig.json');
  effort.spend(1400);
  expect(lines).toEqual([
    'type-checking app/tsconfig.json: run 1, 0 s of about 12 s',
    'type-checking app/tsconfig.json: run 1, 3 s of about 12 s',
    'type-checking app/tsconfig.json: run 2, 3 s of about 12 s',
    'type-checking app/tsconfig.json: run 2, 4 s of about 12 s',
  ]);
  expect([effort.runs, effort.cpuSeconds]).toEqual([2, 4]);
});

test('checkers that were not requested share the remaining time', () => {
  const effort = new Effort({ mostSeconds: 10 });
  expect([effort.allows(6), effort.allows(6), effort.allows(4), effort.allows(1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test.each([
  [10.2, 'about 11 s'],
  [540, 'about 9 min'],
])('%d seconds are %s', (seconds, about) => {
  expect(notAsked('types', seconds, '3 projects').reason).toContain(`${about} (3 projects)`);
});
