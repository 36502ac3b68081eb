import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { GitTree, listTree } from '#git/trees/tree.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { MaterialisedTree } from './materialised-tree.ts';

test('a folder contains one tree at a time, and nothing of the one before', async () => {
  const made = new GitRepository();
  made.commit({
    'app/old/deep/one.py': 'one = 1\n',
    'app/two.py': 'two = 2\n',
    'was.py': '',
    'notes.md': '',
  });
  made.branch('next', {
    'app/old/deep/one.py': null,
    'app/two.py': 'two = 3\n',
    'was.py': null,
    'was/inside.py': '',
  });
  const { git } = await openRepository(made.dir);
  const objects = new ObjectReader(git);
  onTestFinished(() => objects.close());
  const files = new MaterialisedTree(temporaryFolder(), objects, (path) => path.endsWith('.py'));
  const listed = () => readdirSync(files.dir, { recursive: true }).sort();
  const moveTo = async (ref: string) => files.moveTo(GitTree.of(ref, await listTree(git, `${ref}^{tree}`)));
  await moveTo('main');
  const first = listed();
  expect(first).toEqual(['app', 'app/old', 'app/old/deep', 'app/old/deep/one.py', 'app/two.py', 'was.py']);
  await moveTo('next');
  expect(listed()).toEqual(['app', 'app/two.py', 'was', 'was/inside.py']);
  await moveTo('main');
  expect(listed()).toEqual(first);
});
