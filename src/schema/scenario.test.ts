import { describe, expect, test } from 'vitest';
import { Scenario, scriptFor } from './scenario.ts';

const scenario = (attempts: object[]) => Scenario.parse({ schema: 'joinery/scenario@1', attempts });
const say = (say: string) => [{ say }];

describe('the script of an attempt', () => {
  const played = scenario([
    { task: 'a', do: say('any') },
    { task: 'a', n: 2, do: say('second') },
    { role: 'developer', do: say('role') },
  ]);
  const spoken = (task: string, n: number) => scriptFor(played, { task, role: 'developer', n })?.do;

  test('is the one for its number, else the one for all attempts', () => {
    expect(spoken('a', 1)).toEqual(say('any'));
    expect(spoken('a', 2)).toEqual(say('second'));
  });

  test('can be written for a role', () => {
    expect(spoken('b', 1)).toEqual(say('role'));
    expect(scriptFor(played, { task: 'b', role: 'reviewer', n: 1 })).toBeNull();
  });
});

test('an action has exactly one known verb', () => {
  expect(() => scenario([{ task: 'a', do: [{ shout: 'x' }] }])).toThrow();
  expect(() => scenario([{ task: 'a', do: [{ say: 'x', sleepMs: 1 }] }])).toThrow();
  expect(() => scenario([{ do: [] }])).toThrow('needs a task or a role');
});
