import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Git } from '#git/call/git.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { conflictMarker, mergePairs } from './unions.ts';

/** A git that aborts without writing an answer as soon as one of its pairs contains this commit. */
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

test('only the pair that makes git abort has no answer', async () => {
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

test('a submodule that both sides moved is a conflict, and the pairs after it are answered too', async () => {
  const repository = new GitRepository();
  const points = (digit: string) =>
    repository.git('update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},sub`);
  repository.commit({ 'a.txt': 'a\n' });
  points('1');
  repository.git('commit', '-q', '-m', 'submodule');
  const commits = ['2', '3', '1'].map((digit) => {
    repository.git('checkout', '-q', '-b', `to-${digit}`, 'main');
    points(digit);
    repository.git('commit', '-q', '--allow-empty', '-m', digit);
    return repository.git('rev-parse', 'HEAD');
  });
  const [two = '', three = '', one = ''] = commits;
  const git = new Git({ cwd: repository.dir });
  const merges = await mergePairs(git, [
    [two, three],
    [two, one],
    [three, two],
  ]);
  expect(merges.map(({ status }) => status)).toEqual(['conflict', 'clean', 'conflict']);
  expect(merges[0]).toMatchObject({ paths: ['sub'] });
});

test.each([
  ['Install\n=======\n\nRun it.\n', false],
  ['License\r\n=======\r\n', false],
  ['<<<<<<< ours\n1\n=======\n2\n>>>>>>> theirs\n', true],
  ['  const port = read();\n=======\n  const port = 1;\n', true],
  ['}\n=======\r\n}\r\n', true],
  ['1\n>>>>>>> theirs\n', true],
  ['a = b ======= c\n', false],
])('%j has a marker of a conflict: %s', (text, expected) => {
  expect(conflictMarker.test(text)).toBe(expected);
});
