import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { GitTree } from '#git/trees/tree.ts';
import { removeFolder } from '#process/remove-folder.ts';
import { type Files, GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { readCheckoutSettings } from './checkout-settings.ts';
import { FolderReader, type FolderSource } from './folder-tree.ts';

async function reading(
  files: Files,
  more: Partial<FolderSource> & { readonly config?: Readonly<Record<string, string>> } = {},
) {
  const { config = {}, ...source } = more;
  const made = new GitRepository();
  for (const [key, value] of Object.entries(config)) made.git('config', key, value);
  made.commit(files);
  rmSync(join(made.dir, '.git/index'));
  made.git('reset', '-q', '--hard');
  const repository = await openRepository(made.dir);
  const scratch = await createScratch(repository, temporaryFolder());
  onTestFinished(() => scratch.remove());
  const base = await GitTree.read(repository.git, 'HEAD');
  const settings = await readCheckoutSettings(repository);
  const path = realpathSync(made.dir);
  const reader = new FolderReader({
    path,
    scratch,
    base,
    settings,
    except: [],
    purpose: 'work',
    ...source,
  });
  /** The tree that git builds from the same folder. */
  const byGit = () => {
    made.git('add', '--all');
    return made.git('write-tree');
  };
  const list = async (tree: string) =>
    (await scratch.git.text(['ls-tree', '-r', '--name-only', tree]))
      .split('\n')
      .filter((name) => name !== '');
  return { made, path, scratch, reader, byGit, list };
}

const files = { 'a.txt': 'a\n', 'src/b.ts': 'b\n', 'src/deep/c.ts': 'c\n', '.gitignore': 'dist/\n*.log\n' };

describe('the tree of a folder', () => {
  test('is the tree git would commit, for every kind of change', async () => {
    const { made, path, reader, byGit, scratch } = await reading({ ...files, 'dist/kept.js': 'x\n' });
    expect((await reader.read()).tree).toBe(made.git('rev-parse', 'HEAD^{tree}'));
    made.write({
      'a.txt': 'b\n',
      'src/b.ts': null,
      'src/b.ts/now a folder.ts': 'x',
      'new/\u00e4 "quoted"\n.txt': 'y',
      'dist/new.js': 'ignored',
      'dist/kept.js': 'tracked before it was ignored',
      'x.log': 'ignored',
      'src/.gitignore': '!y.log\n',
      'src/y.log': 'not ignored',
    });
    writeFileSync(Buffer.concat([Buffer.from(`${path}/byte-`), Buffer.from([0xff])]), 'z');
    chmodSync(join(path, 'src/deep/c.ts'), 0o755);
    symlinkSync('a.txt', join(path, 'link'));
    symlinkSync('/etc', join(path, 'folder'));
    mkdirSync(join(path, 'empty'));
    const socket = createServer().listen(join(path, 'socket'));
    onTestFinished(() => void socket.close());
    const { tree } = await reader.read();
    expect(tree).toBe(byGit());
    scratch.own.write();
    expect(await scratch.git.text(['fsck', '--full', '--no-dangling', tree])).not.toContain('missing');
    expect(await scratch.git.text(['cat-file', 'blob', `${tree}:a.txt`])).toBe('b');
  });

  test.each([
    ['line ends for all files', { config: { 'core.autocrlf': 'true' } }, {}],
    ['line ends by attribute', {}, { '.gitattributes': '*.txt text eol=crlf\n' }],
    ['an encoding', {}, { '.gitattributes': '*.txt text working-tree-encoding=UTF-16LE\n' }],
    [
      "a filter of the user's own",
      { config: { 'filter.up.clean': 'tr A-Z a-z', 'filter.up.smudge': 'tr a-z A-Z' } },
      { '.gitattributes': '*.txt filter=up\n' },
    ],
  ])('follows %s', async (_, more, attributes) => {
    const { made, path, reader, byGit } = await reading({ ...files, ...attributes }, more);
    expect((await reader.read()).tree).toBe(made.git('rev-parse', 'HEAD^{tree}'));
    const line = Buffer.from('new\r\n', _ === 'an encoding' ? 'utf16le' : 'utf8');
    writeFileSync(join(path, 'new.txt'), line);
    writeFileSync(join(path, 'a.txt'), line);
    expect((await reader.read()).tree).toBe(byGit());
  });

  test('is built from the files, whatever the index says about them', async () => {
    const { made, path, reader } = await reading(files);
    for (const hide of ['--assume-unchanged', '--skip-worktree']) {
      made.git('update-index', hide, 'a.txt');
      writeFileSync(join(path, 'a.txt'), `${hide}\n`);
      expect((await reader.read()).tree).not.toBe(made.git('rev-parse', 'HEAD^{tree}'));
    }
  });

  test('keeps folders of dependencies as they are on the base', async () => {
    const { made, reader, list } = await reading(
      { ...files, 'node_modules/x.js': 'x\n' },
      { except: ['node_modules'] },
    );
    made.write({ 'node_modules/x.js': 'y', 'node_modules/z.js': 'z', 'b.txt': 'b' });
    const { tree } = await reader.read();
    expect(await list(tree)).toEqual([
      '.gitignore',
      'a.txt',
      'b.txt',
      'node_modules/x.js',
      'src/b.ts',
      'src/deep/c.ts',
    ]);
  });
});

describe('a repository inside a folder', () => {
  async function nested(how: FolderSource['purpose']) {
    const trap = join(temporaryFolder(), 'sprung');
    const read = await reading(files, { purpose: how });
    const sub = join(read.path, 'sub');
    mkdirSync(sub);
    const inner = new GitRepository({ dir: sub });
    inner.git('init', '-q', '-b', 'main', '.');
    inner.commit({ f: 'x\n' });
    inner.git('config', 'filter.evil.clean', `touch ${trap}; cat`);
    inner.write({ '.git/info/attributes': '* filter=evil\n' });
    inner.write({ f: 'y\n' });
    return { ...read, trap };
  }

  test('is left out and reported, and none of its programs runs', async () => {
    const { reader, list, trap } = await nested('work');
    for (let round = 0; round < 2; round++) {
      const { tree, nested: found } = await reader.read();
      expect(found).toEqual(['sub']);
      expect(await list(tree)).not.toContain('sub/f');
    }
    expect(existsSync(trap)).toBe(false);
  });

  test('is read like any other folder when it counts as evidence', async () => {
    const { made, reader, list, trap } = await nested('evidence');
    const before = (await reader.read()).tree;
    expect(await list(before)).toContain('sub/f');
    made.write({ 'sub/f': 'z\n' });
    expect((await reader.read()).tree).not.toBe(before);
    expect(existsSync(trap)).toBe(false);
  });

  test('that is a submodule stays as it is on the base', async () => {
    const made = new GitRepository();
    made.commit(files);
    made.git('update-index', '--add', '--cacheinfo', `160000,${made.git('rev-parse', 'HEAD')},sub`);
    mkdirSync(join(made.dir, 'sub'));
    made.git('commit', '-q', '-m', 'sub');
    const repository = await openRepository(made.dir);
    const scratch = await createScratch(repository, temporaryFolder());
    onTestFinished(() => scratch.remove());
    const read = async (purpose: FolderSource['purpose']) =>
      (
        await new FolderReader({
          path: realpathSync(made.dir),
          scratch,
          base: await GitTree.read(repository.git, 'HEAD'),
          settings: await readCheckoutSettings(repository),
          except: [],
          purpose,
        }).read()
      ).tree;
    const base = made.git('rev-parse', 'HEAD^{tree}');
    expect([await read('work'), await read('evidence')]).toEqual([base, base]);
    made.write({ 'sub/.git': 'gitdir: /nowhere\n', 'sub/f': 'x' });
    expect([await read('work'), (await read('evidence')) === base]).toEqual([base, false]);
  });
});

describe('a folder that is not the one we made', () => {
  test('is not read when it was replaced by a link', async () => {
    const { path, reader } = await reading(files);
    const elsewhere = join(temporaryFolder(), 'moved');
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
    await expect(reader.read()).rejects.toMatchObject({ code: 'unreadable-worktree' });
    rmSync(path);
    await expect(reader.read()).rejects.toMatchObject({ code: 'unreadable-worktree' });
  });
});

describe('a folder made to keep its reader busy', () => {
  test.each<[string, (path: string) => void]>([
    [
      'with paths longer than the system accepts',
      (path) => {
        const step = 'd'.repeat(200);
        const go = `for i in $(seq 40); do mkdir ${step} && cd -P ${step} || exit 1; done`;
        execFileSync('/bin/sh', ['-c', go], { cwd: path });
      },
    ],
    [
      'with thousands of patterns to ignore',
      (path) => {
        const patterns = Array.from({ length: 3000 }, (_, at) => `a${at}*b`).join('\n');
        mkdirSync(join(path, 'one/two'), { recursive: true });
        for (const folder of ['one', 'one/two']) writeFileSync(join(path, folder, '.gitignore'), patterns);
      },
    ],
    [
      'with sparse files of more than half a gigabyte',
      (path) => {
        for (const name of ['1', '2', '3', '4', '5']) {
          writeFileSync(join(path, name), name);
          truncateSync(join(path, name), 120 * 1024 ** 2);
        }
      },
    ],
    [
      'with a sparse file of a terabyte',
      (path) => {
        writeFileSync(join(path, 'large'), '');
        truncateSync(join(path, 'large'), 1024 ** 4);
      },
    ],
  ])('is not read %s', async (_what, fill) => {
    const { path, reader } = await reading(files);
    fill(path);
    await expect(reader.read()).rejects.toMatchObject({ code: 'unreadable-worktree' });
    await removeFolder(path);
  });

  test('is read in time with many names to ignore', async () => {
    const { path, reader, byGit } = await reading(files);
    const names = Array.from({ length: 100_000 }, (_, at) => `name${at}`);
    writeFileSync(join(path, '.gitignore'), `${names.join('\n')}\n!name7\nname9/\n`);
    for (const at of Array(2000).keys()) writeFileSync(join(path, `other${at}`), 'x');
    for (const name of ['name1', 'name7', 'name9']) writeFileSync(join(path, name), 'x');
    const before = process.cpuUsage();
    const { tree } = await reader.read();
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
    expect(tree).toBe(byGit());
  });

  test('lets others run while it is read, and stops when asked to', async () => {
    const stopping = new AbortController();
    const { path, reader } = await reading(files, { signal: stopping.signal });
    const patterns = Array.from({ length: 4000 }, (_, at) => `a${at}*b`).join('\n');
    writeFileSync(join(path, '.gitignore'), patterns);
    for (const at of Array(3000).keys()) writeFileSync(join(path, `other${at}`), 'x');
    setTimeout(() => stopping.abort(new Error('asked to stop')), 100);
    const began = performance.now();
    await expect(reader.read()).rejects.toThrow('asked to stop');
    expect(performance.now() - began).toBeLessThan(3000);
  });
});
