import { describe, expect, test } from 'vitest';
import { isRefCommand, movesSince, type Worker, whoMoved } from './who-moved.ts';

const id = (digit: string) => digit.repeat(40);
const move = (from: string, to: string, who = 'person@home', what = 'commit: x') => ({
  from: id(from),
  to: id(to),
  who,
  what,
});
const worker = (name: string, more: Partial<Worker> = {}): Worker => ({
  id: name,
  address: `${name}@agents`,
  branch: `refs/heads/joinery/run/${name}`,
  path: `/w/${name}`,
  moves: [],
  commands: [],
  ...more,
});
const taskOf = (address: string) => /^(\w+)@agents$/.exec(address)?.[1] ?? null;
const main = { ref: 'refs/heads/main', from: id('1'), to: id('2'), standsFor: null };

describe('a ref was moved by', () => {
  test.each<[string, string | null, Parameters<typeof whoMoved>]>([
    ['unknown', null, [main, [move('1', '2')], [worker('a')], taskOf]],
    ['whose address its reflog names', 'b', [main, [move('1', '2', 'b@agents')], [worker('a')], taskOf]],
    ['whose commit it is', 'a', [main, [], [worker('a', { moves: [move('1', '2')] })], taskOf]],
    [
      'who named it in a command',
      'a',
      [main, [], [worker('a', { commands: ['git branch -f main x'] })], taskOf],
    ],
    [
      'unknown, though a command names something like it',
      null,
      [main, [], [worker('a', { commands: ['git branch -f feat/main x', 'git tag main-2'] })], taskOf],
    ],
    [
      'unknown, though an older line names a task',
      null,
      [main, [move('0', '1', 'a@agents'), move('1', '2')], [], taskOf],
    ],
    [
      'the sibling, not the owner',
      'b',
      [
        { ref: 'refs/heads/joinery/run/a', from: id('1'), to: id('3'), standsFor: null },
        [move('1', '2', 'a@agents'), move('2', '3', 'b@agents')],
        [worker('a'), worker('b')],
        taskOf,
      ],
    ],
  ])('%s', (_, who, args) => {
    expect(whoMoved(...args)).toBe(who);
  });
});

test('moves since a value end where its reflog does not mention it', () => {
  expect(movesSince([move('1', '2')], id('9'))).toEqual([]);
  expect(movesSince([move('0', '1')], null)).toHaveLength(1);
});

test.each([
  ['git update-ref refs/heads/main abc', true],
  ['cd /x && git -C /y branch -D topic', true],
  ['git branch --force topic HEAD~1', true],
  ['git tag v1', true],
  ['git log main', false],
  ['git branch --list', false],
  ['git diff main; echo update-ref', false],
])('%s writes refs: %s', (command, isOne) => {
  expect(isRefCommand(command)).toBe(isOne);
});
