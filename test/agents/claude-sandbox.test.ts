import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AgentConfig } from '#schema/agent.ts';
import { installedBinary } from '#scripts/contract-agents.ts';
import { temporaryFolder } from '../support/joinery.ts';
import { handoffBlock, inTurn, openAgentBench } from '../support/real-agent.ts';

/** What a command of the agent tries, and the marker that shows that it worked. */
const tries = {
  'writes in its worktree': 'touch inside.txt',
  'writes beside its worktree': 'touch "$HOME/outside.txt"',
  'reads a key': 'cat "$HOME/.ssh/id_test"',
  'reads a login of git': 'cat "$HOME/.git-credentials" | grep .',
  'moves a ref': 'git update-ref refs/heads/sneaky HEAD',
  'looks at its own work': 'git status --short && git log -1',
};

/** Not found by any of our variables. */
const setApart = 'env -i setsid sleep 4711 >/dev/null 2>&1 &';

test.each([
  // What is written beside the worktree goes to an empty home that ends with the agent.
  ['auto', ['writes in its worktree', 'writes beside its worktree', 'looks at its own work']],
  ['where-possible', ['writes in its worktree', 'writes beside its worktree', 'looks at its own work']],
  ['off', Object.keys(tries)],
])('sandbox %s: what commands of Claude Code can reach', async (sandbox, reached) => {
  const bench = await openAgentBench('claude', ({ agent }) =>
    inTurn(
      {
        calls: [
          agent.shell(
            [
              ...(sandbox === 'off' ? [] : [setApart]),
              ...Object.entries(tries).map(
                ([name, command]) => `if ( ${command} ); then echo "worked: ${name}" >> reached.txt; fi`,
              ),
            ].join('\n'),
          ),
        ],
      },
      { say: handoffBlock({ files: ['reached.txt'] }) },
    ),
  );
  mkdirSync(join(bench.home, '.ssh'));
  writeFileSync(join(bench.home, '.ssh', 'id_test'), 'a key\n');
  writeFileSync(join(bench.home, '.git-credentials'), 'https://me:secret@example.com\n');
  // One repository with a worktree, as in a run: its refs are outside the folder of the agent.
  const worktree = `${bench.repo.dir}-worktree`;
  bench.repo.git('worktree', 'add', '-q', worktree);
  const { end } = await bench.play({
    cwd: worktree,
    config: AgentConfig.parse({ command: installedBinary('claude'), sandbox }),
  });
  expect(end).toEqual({ outcome: 'ok', reason: '' });
  const worked = readFileSync(join(worktree, 'reached.txt'), 'utf8').match(/(?<=worked: ).*/g) ?? [];
  expect(worked).toEqual(reached);
  expect(existsSync(join(bench.home, 'outside.txt'))).toBe(sandbox === 'off');
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  expect(stdout).not.toContain('sleep 4711');
});

test.each([
  ['auto', 'false'],
  ['off', 'true'],
])('sandbox %s: what is withheld from Claude Code', async (sandbox, isThere) => {
  const state = temporaryFolder();
  mkdirSync(join(state, 'reports'));
  const notes = join(state, 'reports', 'notes.md');
  writeFileSync(notes, 'NOTES-OF-OTHERS\n');
  const hidden = Buffer.from(notes).toString('base64');
  const look = `require('fs').existsSync(Buffer.from('${hidden}', 'base64').toString())`;
  const bench = await openAgentBench('claude', ({ agent }) =>
    inTurn(
      { calls: [{ tool: 'Read', input: { file_path: notes } }] },
      { calls: [agent.shell(`cat '${notes}'`)] },
      { calls: [agent.shell(`node -p "${look}" > there.txt; git status --short > status.txt`)] },
      { say: handoffBlock({ files: ['there.txt'] }) },
    ),
  );
  const worktree = join(state, 'worktrees', 'a');
  bench.repo.git('worktree', 'add', '-q', worktree);
  bench.repo.write({ 'changed.txt': 'so that something was changed\n' });
  const { end, of } = await bench.play({
    cwd: worktree,
    withheld: [state],
    config: AgentConfig.parse({ command: installedBinary('claude'), sandbox }),
  });
  expect(end).toEqual({ outcome: 'ok', reason: '' });
  // It refuses to read, and to run commands that it recognizes as reading; only a sandbox stops disguised ones.
  expect(bench.server.asked.map(({ raw }) => raw).join()).not.toContain('NOTES-OF-OTHERS');
  expect(readFileSync(join(worktree, 'there.txt'), 'utf8').trim()).toBe(isThere);
  expect(readFileSync(join(worktree, 'status.txt'), 'utf8')).toContain('there.txt');
  expect(of('incident').map(({ kind }) => kind)).toEqual(['read-withheld', 'read-withheld']);
});
