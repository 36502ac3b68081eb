import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AgentConfig } from '#schema/agent.ts';
import { EnvironmentError } from '#schema/errors.ts';
import { agentRequest } from '#test/support/agent-request.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { type AgentHabits, bubblewrapArgv, containedArgv, demandSandbox } from './sandbox.ts';

const habits: AgentHabits = { name: 'mine', keeps: ['.mine'], hasOwnSandbox: false };
const absent = () => 'it is not installed';
const works = () => null;

describe('which sandbox an agent gets', () => {
  test.each([
    ['off', false, works, 'none'],
    ['off', false, absent, 'none'],
    ['auto', true, absent, 'none'],
    ['auto', false, works, 'bubblewrap'],
    ['firejail --quiet', true, absent, 'command'],
  ] as const)('%s, own: %s', (sandbox, hasOwnSandbox, probe, kind) => {
    expect(demandSandbox({ sandbox }, { ...habits, hasOwnSandbox }, probe)).toBe(kind);
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
    expect(containedArgv(['agent', '--print', 'a b'], request, habits)).toEqual([
      ...['env', 'BOX=1;'],
      ...['agent', '--print', 'a b'],
    ]);
  });
});

test('bubblewrap hides files and folders, and writable folders come after read-only ones', () => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.ssh'));
  writeFileSync(join(home, '.netrc'), 'machine example');
  const argv = bubblewrapArgv(['agent'], {
    cwd: '/w',
    writable: ['/w', '/cache'],
    hidden: [join(home, '.ssh'), join(home, '.netrc')],
  }).join(' ');
  expect(argv).toContain(`--ro-bind / / --dev /dev --proc /proc --tmpfs ${home}/.ssh`);
  expect(argv).toContain(`--ro-bind /dev/null ${home}/.netrc --bind-try /w /w --bind-try /cache /cache`);
  expect(argv).toMatch(/--chdir \/w -- agent$/);
});
