import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Git } from '#git/call/git.ts';
import { openRepository } from '#git/call/repository.ts';
import { commitTree } from '#git/merges/unions.ts';
import { replaceObject } from '#test/support/forgery.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { ObjectReader } from './object-reader.ts';
import { openVerifiedObjects } from './verified-objects.ts';

async function place() {
  const made = new GitRepository();
  made.commit({ 'old.txt': 'old\n' });
  const base = made.commit({ 'a.txt': 'good\n', 'src/b.txt': 'b\n' });
  const repository = await openRepository(made.dir);
  const git = new Git({ cwd: repository.commonDir, isDurable: true });
  const open = async (tips: readonly string[] = []) => {
    const objects = await openVerifiedObjects(repository, git, temporaryFolder(), base, tips);
    onTestFinished(() => objects.remove());
    return objects;
  };
  return { made, base, git, open };
}

describe('verified objects', () => {
  test('are those of the base, and do not change when the repository is tampered with', async () => {
    const { made, base, open } = await place();
    const objects = await open();
    replaceObject(`${made.dir}/.git`, made.git('rev-parse', 'HEAD:a.txt'), 'evil\n');
    expect(made.git('cat-file', 'blob', 'HEAD:a.txt')).toBe('evil');
    expect(await objects.git.text(['cat-file', 'blob', `${base}:a.txt`])).toBe('good');
  });

  test.each(['a.txt', 'src', ''])('cannot be opened when %j was replaced before', async (path) => {
    const { made, open } = await place();
    const id = made.git('rev-parse', `HEAD:${path}`);
    const content =
      path === 'a.txt'
        ? Buffer.from('evil\n')
        : Buffer.concat([
            Buffer.from('100644 x\0'),
            Buffer.from(made.git('rev-parse', 'HEAD:old.txt'), 'hex'),
          ]);
    replaceObject(`${made.dir}/.git`, id, content, path === 'a.txt' ? 'blob' : 'tree');
    await expect(open()).rejects.toMatchObject({ code: 'objects-damaged', exitCode: 5 });
  });

  test('include what was built on the base, and can be merged', async () => {
    const { made, open } = await place();
    const [one, two] = [made.branch('one', { 'one.txt': '1' }), made.branch('two', { 'two.txt': '2' })];
    const objects = await open([one, two]);
    expect(await objects.git.text(['merge-tree', '--write-tree', one, two])).toMatch(/^[0-9a-f]{40}$/);
  });

  test('include a tip that merged work from before the base', async () => {
    const { made, base, open } = await place();
    made.git('checkout', '-q', '-b', 'older', `${base}~1`);
    made.commit({ 'older.txt': 'x' });
    made.git('checkout', '-q', 'main');
    made.git('merge', '-q', '--no-ff', '-m', 'older', 'older');
    const tip = made.git('rev-parse', 'HEAD');
    const one = made.branch('one', { 'one.txt': '1' }, base);
    const objects = await open([tip, one]);
    expect(await objects.git.text(['merge-tree', '--write-tree', one, tip])).toMatch(/^[0-9a-f]{40}$/);
  });

  test('are published whole, and refused when the repository holds something else under their id', async () => {
    const { made, base, git, open } = await place();
    const objects = await open();
    const add = (text: string) => {
      const blob = objects.own.add('blob', Buffer.from(text));
      const row = Buffer.concat([Buffer.from('100644 new.txt\0'), Buffer.from(blob, 'hex')]);
      return { blob, commit: commitTree(objects, objects.own.add('tree', row), [base]) };
    };
    const { commit } = add('new\n');
    await objects.publish(commit, [base]);
    expect(made.git('show', `${commit}:new.txt`)).toBe('new');
    made.git('fsck', '--full', '--strict', commit);
    const planted = add('planted\n');
    await objects.publish(planted.commit, [base]);
    rmSync(join(made.dir, '.git/objects', planted.commit.slice(0, 2), planted.commit.slice(2)));
    replaceObject(`${made.dir}/.git`, planted.blob, 'evil\n');
    await expect(objects.publish(planted.commit, [base])).rejects.toMatchObject({ code: 'objects-damaged' });
    const reader = new ObjectReader(git);
    await expect(reader.content(planted.blob)).rejects.toMatchObject({ code: 'objects-damaged' });
    reader.close();
    expect(readFileSync(join(made.dir, 'a.txt'), 'utf8')).toBe('good\n');
  });
});
