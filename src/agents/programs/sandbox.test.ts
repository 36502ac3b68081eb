import { describe, expect, test } from 'vitest';
import type { Containment } from '#process/containment.ts';
import { AgentConfig } from '#schema/agent.ts';
import { EnvironmentError } from '#schema/errors.ts';
import { agentRequest } from '#test/support/agent-request.ts';
import { type AgentHabits, containedStart, demandSandbox } from './sandbox.ts';

const habits: AgentHabits = { name: 'mine', keeps: ['.mine'], hasOwnSandbox: false };
const absent = (): Containment => ({ by: 'none', why: 'bubblewrap: it is not installed', isChosen: false });
const declined = (): Containment => ({ by: 'none', why: '--no-sandbox', isChosen: true });
const works = (): Containment => ({ by: 'bubblewrap' });

describe('which sandbox an agent gets', () => {
  test.each([
    ['where-possible', false, works, 'bubblewrap'],
    ['where-possible', false, absent, 'none'],
    ['where-possible', false, declined, 'none'],
    ['where-possible', true, works, 'none'],
    ['off', false, works, 'none'],
    ['off', false, absent, 'none'],
    ['auto', true, absent, 'none'],
    ['auto', false, works, 'bubblewrap'],
    ['auto', false, declined, 'none'],
    ['firejail --quiet', true, absent, 'command'],
  ] as const)('%s, own: %s', (sandbox, hasOwnSandbox, here, kind) => {
    expect(demandSandbox({ sandbox }, { ...habits, hasOwnSandbox }, here)).toBe(kind);
  });

  test('a sandbox that is demanded and unavailable is an error, not skipped', () => {
    expect(() => demandSandbox({ sandbox: 'auto' }, habits, absent)).toThrow(EnvironmentError);
    expect(() => demandSandbox({ sandbox: 'auto' }, habits, absent)).toThrow(
      'agents.mine.sandbox is "auto", and bubblewrap does not work here: it is not installed',
    );
  });

  test("the project's sandbox command is put before the agent, word by word", () => {
    const request = agentRequest({
      ...{ cwd: '/w', scratch: '/s' },
      config: AgentConfig.parse({ sandbox: ' env  BOX=1; ' }),
    });
    expect(containedStart(['agent', '--print', 'a b'], request, habits)).toEqual({
      argv: [...['env', 'BOX=1;'], ...['agent', '--print', 'a b']],
      box: null,
    });
  });
});
