import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Git } from '#git/call/git.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { mergePairs } from './unions.ts';

/** A git that aborts, answers unwritten, as soon as one of the pairs it is to merge has this commit. */
function abortingAt(commit: string): string {
  const folder = temporaryFolder();
  const script = [
    '#!/bin/sh',
    'input=$(cat)',
    `case "$input" in *${commit}*) kill -ABRT $$ ;; esac`,
    `PATH='${process.env.PATH}'`,
    `printf '%s\\n' "$input" | exec git "$@"`,
    '',
  ];
  writeFileSync(join(folder, 'git'), script.join('\n'));
  chmodSync(join(folder, 'git'), 0o755);
  return `${folder}:${process.env.PATH}`;
}

test('only the pair that git dies of has no answer', async () => {
  const repository = new GitRepository();
  repository.commit({ 'a.txt': 'a\n' });
  const names = ['b', 'c', 'd', 'e', 'f', 'g'];
  const commits = names.map((name) => repository.branch(name, { [`${name}.txt`]: `${name}\n` }));
  const bad = commits[3] ?? '';
  const git = new Git({ cwd: repository.dir, env: { PATH: abortingAt(bad) } });
  const pairs = commits.map((commit) => ['main', commit] as const);
  const merges = await mergePairs(git, pairs);
  expect(merges.map(({ status }) => status)).toEqual(['clean', 'clean', 'clean', 'failed', 'clean', 'clean']);
});
