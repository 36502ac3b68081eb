import { expect, test } from 'vitest';
import { Git } from '#git/call/git.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { readFilesAt } from './files-at.ts';

test('more paths than a command can be given', async () => {
  const repository = new GitRepository();
  const commit = repository.commit({ 'src/a.txt': 'a\n', 'b.txt': 'b\n' });
  const absent = Array.from({ length: 30_000 }, (_, number) => `${'long-name/'.repeat(9)}${number}.txt`);
  const texts = await readFilesAt(new Git({ cwd: repository.dir }), commit, [...absent, 'src/a.txt']);
  expect([...texts]).toEqual([['src/a.txt', 'a\n']]);
});
