import { expect, test } from 'vitest';
import { Siblings } from './siblings.ts';

/** Fake worktrees whose marks are what is written into them. */
function worktrees() {
  const files = new Map<string, string>();
  const broken = new Set<string>();
  const siblings = new Siblings(async (path) => {
    if (broken.has(path)) return null;
    return new Map([...files].filter(([file]) => file.startsWith(`${path}/`)));
  });
  const detailsOf = async (id: string) => (await siblings.end(id)).map(({ detail }) => detail);
  return {
    siblings,
    detailsOf,
    broken,
    write: (file: string) => files.set(file, String(files.size)),
  };
}

test('a change is blamed on agents that were running since the last look', async () => {
  const { siblings, detailsOf, write } = worktrees();
  await siblings.begin('a', '/a');
  await siblings.begin('c', '/c');
  await siblings.rest('b', '/b');
  write('/b/one');
  expect(await detailsOf('a')).toEqual([
    expect.stringMatching(/\/b\/one changed .* one of a, c, or somebody else/),
  ]);
  await siblings.begin('d', '/d');
  write('/b/two');
  expect(await detailsOf('d')).toEqual([
    expect.stringMatching(/\/b\/two changed .* one of c, d, or somebody else/),
  ]);
  await siblings.begin('e', '/e');
  expect(await detailsOf('e')).toEqual([]);
  expect(await siblings.begin('b', '/b')).toEqual(['/b/one', '/b/two']);
  expect(await detailsOf('c')).toHaveLength(2);
});

test('an agent that ended before a change is not blamed, and the change is still reported', async () => {
  const { siblings, detailsOf, write } = worktrees();
  await siblings.begin('early', '/early');
  await siblings.rest('b', '/b');
  await siblings.end('early');
  write('/b/one');
  expect(await siblings.begin('b', '/b')).toEqual(['/b/one']);
  expect(await detailsOf('b')).toEqual([]);
});

test('changes in a worktree whose agent works, or that we change, are not blamed on others', async () => {
  const { siblings, detailsOf, write } = worktrees();
  await siblings.begin('a', '/a');
  await siblings.rest('b', '/b');
  await siblings.begin('b', '/b');
  write('/b/own');
  await siblings.rest('c', '/c');
  await siblings.leave('c');
  write('/c/ours');
  expect(await detailsOf('a')).toEqual([]);
});

test('a worktree that is unreadable for a while is blamed on no task, and its changes are reported later', async () => {
  const { siblings, detailsOf, write, broken } = worktrees();
  write('/b/before');
  await siblings.begin('a', '/a');
  await siblings.begin('c', '/c');
  await siblings.rest('b', '/b');
  broken.add('/b');
  write('/b/one');
  expect(await detailsOf('a')).toEqual([]);
  broken.clear();
  expect(await siblings.begin('b', '/b')).toEqual(['/b/one']);
  expect(await detailsOf('c')).toEqual([
    expect.stringMatching(/, \/b\/one changed .* one of a, c, or somebody else/),
  ]);
  await siblings.begin('a', '/a');
  expect(await detailsOf('a')).toEqual([]);
});

test.each(['when it was made', 'when its agent begins'])(
  'a worktree that cannot be read %s may have been changed, by an unknown task',
  async (when) => {
    const { siblings, detailsOf, broken } = worktrees();
    await siblings.begin('a', '/a');
    if (when === 'when it was made') broken.add('/b');
    await siblings.rest('b', '/b');
    if (!broken.delete('/b')) broken.add('/b');
    expect(await siblings.begin('b', '/b')).toBeNull();
    expect(await detailsOf('a')).toEqual([]);
  },
);
