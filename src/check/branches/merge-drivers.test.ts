import { expect, test } from 'vitest';
import { GitTree } from '#git/trees/tree.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { ignoredMergeDrivers } from './merge-drivers.ts';

const paths = ['a.ai', 'art/a.ai', 'art/deep/a.ai', 'art/a.txt', 'lock.json', 'art/lock.json', 'ä.ai'];

/** Whether the report mentions a driver when one path is changed and one file has this line of attributes. */
async function told(place: string, line: string, changed: string): Promise<boolean> {
  const id = '1'.repeat(40);
  const tree = GitTree.of('tree', `100644 blob ${id}\t${place}\0`);
  const source = { content: async () => Buffer.from(`# *.txt binary\n${line}\n`) };
  return (await ignoredMergeDrivers(tree, source, new Set([changed]))).length > 0;
}

test.each([
  ['.gitattributes', '*.ai binary'],
  ['.gitattributes', 'art/*.ai -merge'],
  ['.gitattributes', '/a.ai merge=ours'],
  ['.gitattributes', 'art/** merge=union'],
  ['.gitattributes', '**/lock.json merge=npm'],
  ['.gitattributes', '*.ai merge=text'],
  ['.gitattributes', 'ä.* binary'],
  ['.gitattributes', 'art/ binary'],
  ['art/.gitattributes', '*.ai binary'],
  ['art/.gitattributes', '/lock.json -merge'],
  ['art/.gitattributes', 'deep/a.ai -merge'],
])('%s: %s is reported exactly for the changed files for which git knows a driver', async (place, line) => {
  const repository = new GitRepository();
  repository.commit({ [place]: `${line}\n` });
  for (const path of paths) {
    const answer = repository.git('check-attr', '-z', 'merge', '--', path).split('\0')[2];
    expect(await told(place, line, path), path).toBe(!['unspecified', 'text'].includes(answer ?? ''));
  }
});

test('macros and quoted patterns may concern any file', async () => {
  expect(await told('.gitattributes', '[attr]ours merge=ours', 'a.ai')).toBe(true);
  expect(await told('.gitattributes', '"a b" merge=ours', 'a.ai')).toBe(true);
});
