import { expect, test } from 'vitest';
import { Siblings } from './siblings.ts';

/** Worktrees that are what is written into them. */
function worktrees() {
  const files = new Map<string, string>();
  const siblings = new Siblings(async (path) => {
    return new Map([...files].filter(([file]) => file.startsWith(`${path}/`)));
  });
  const detailsOf = async (id: string) => (await siblings.end(id)).map(({ detail }) => detail);
  return {
    siblings,
    detailsOf,
    write: (file: string) => files.set(file, String(files.size)),
  };
}

test('a change is the doing of those who were at work since it was last looked', async () => {
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

test('who ended before a change is not to blame, and it is told all the same', async () => {
  const { siblings, detailsOf, write } = worktrees();
  await siblings.begin('early', '/early');
  await siblings.rest('b', '/b');
  await siblings.end('early');
  write('/b/one');
  expect(await siblings.begin('b', '/b')).toEqual(['/b/one']);
  expect(await detailsOf('b')).toEqual([]);
});

test('a worktree whose agent is at work, or that is ours to change, is nobody else’s doing', async () => {
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
