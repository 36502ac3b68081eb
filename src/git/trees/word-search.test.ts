import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { filesByWord, filesWithWords } from './grep.ts';
import { diffTrees, GitTree } from './tree.ts';
import { WordSearch } from './word-search.ts';

const word = fc
  .array(fc.constantFrom('page', 'title', 'a.b', 'x', '$y', 'foo', 'foobar', '42', 'é', '-', '.', '|', '('), {
    minLength: 1,
    maxLength: 3,
  })
  .map((all) => all.join(''));
const file = fc.array(word, { maxLength: 12 }).map((all) => `${all.join(' ')}\n`);

test('searching base and the changed files finds what git finds in the tree of a branch', async () => {
  const repo = new GitRepository();
  const texts = fc.sample(file, { numRuns: 24, seed: 3 });
  repo.commit(Object.fromEntries(texts.slice(0, 12).map((text, index) => [`f${index}.txt`, text])));
  const from = repo.git('rev-parse', 'HEAD^{tree}');
  repo.git('rm', '-q', 'f0.txt');
  repo.commit({
    ...Object.fromEntries(texts.slice(12).map((text, index) => [`f${index + 6}.txt`, text])),
    'binary.bin': 'page \0 title\n',
  });
  const { git } = await openRepository(repo.dir, []);
  const [fromGit, toGit] = [from, repo.git('rev-parse', 'HEAD^{tree}')];
  const [changes = []] = await diffTrees(git, [[fromGit, toGit]], { renames: false });
  const baseTree = await GitTree.read(git, from);
  const tree = baseTree.withChanges(toGit, changes);
  const objects = new ObjectReader(git);
  const kept: string[] = [];
  const keptIndex = { read: () => kept.at(-1), remember: (index: string) => void kept.push(index) };
  const ofBranches = changes.flatMap(({ after }) => after?.id ?? []).slice(0, 6);
  const words = [...new Set(fc.sample(word, { numRuns: 40, seed: 8 }))];
  try {
    const moved = await GitTree.read(git, toGit);
    for (const [base, asked, id] of [
      [baseTree, baseTree, fromGit],
      [baseTree, tree, toGit],
      [baseTree, baseTree, fromGit],
      [moved, moved, toGit],
    ] as const) {
      // The first search builds the index, the others load it; also after base has moved.
      const search = new WordSearch(git, objects, base, keptIndex, ofBranches);
      const expected = await filesByWord(git, id, words);
      const sorted = (found: ReadonlyMap<string, ReadonlySet<string>>) =>
        [...found].map(([key, paths]) => [key, [...paths].sort()]).sort();
      expect(sorted(await search.holders(asked, words))).toEqual(sorted(expected));
      for (const few of [words.slice(0, 3), words.slice(3, 20)])
        expect((await search.holding(asked, few)).sort()).toEqual(
          (await filesWithWords(git, id, few)).sort(),
        );
      const apart = new WordSearch(git, objects, base, keptIndex, ofBranches);
      for (const each of words) {
        const alone = new WordSearch(git, objects, base, keptIndex, ofBranches);
        expect(await alone.isHeldBeside(asked, each, new Set(['f7.txt']), ['f1.txt', 'f9.txt'])).toBe(
          [...(expected.get(each) ?? [])].some((path) => path !== 'f7.txt'),
        );
        for (const beside of [new Set<string>(), new Set(['f1.txt', 'f7.txt', 'f9.txt', 'f11.txt'])])
          expect(await apart.isHeldBeside(asked, each, beside)).toBe(
            [...(expected.get(each) ?? [])].some((path) => !beside.has(path)),
          );
      }
    }
    expect(kept).toHaveLength(1);
  } finally {
    objects.close();
  }
});

test('files of branches are in the stored index: a later search does not read them', async () => {
  const repo = new GitRepository();
  repo.commit({ 'a.txt': 'needle\n', 'b.txt': 'user-id\n', 'c.txt': 'user id-user-id\n' });
  const { git } = await openRepository(repo.dir, []);
  const base = await GitTree.read(git, repo.git('rev-parse', 'HEAD^{tree}'));
  repo.commit({ 'd.txt': 'needle pin\n', 'a.txt': 'pin\n' });
  const id = repo.git('rev-parse', 'HEAD^{tree}');
  const [changes = []] = await diffTrees(git, [[base.id, id]], { renames: false });
  const ofBranches = changes.flatMap(({ after }) => after?.id ?? []);
  const tree = base.withChanges(id, changes);
  const objects = new ObjectReader(git);
  const read: string[] = [];
  const counted = {
    blob: (blob: string, most: number) => {
      read.push(blob);
      return objects.blob(blob, most);
    },
  };
  const kept: string[] = [];
  const keptIndex = { read: () => kept.at(-1), remember: (index: string) => void kept.push(index) };
  try {
    await new WordSearch(git, counted, base, keptIndex, ofBranches).holders(tree, ['needle']);
    expect(read).toHaveLength(5);
    const later = new WordSearch(git, counted, base, keptIndex, ofBranches);
    expect([...(await later.holders(tree, ['needle', 'pin']))]).toEqual([
      ['needle', new Set(['d.txt'])],
      ['pin', new Set(['d.txt', 'a.txt'])],
    ]);
    expect(read).toHaveLength(5);
    // The first file that contains it is enough.
    expect(await later.isHeldBeside(tree, 'user-id', new Set(['b.txt']))).toBe(true);
    expect(read).toHaveLength(6);
    expect(await later.isHeldBeside(tree, 'needle', new Set(['d.txt']))).toBe(false);
    expect(read).toHaveLength(6);
  } finally {
    objects.close();
  }
});

test('files like those that lost a word are read first, and no index is built when one of them contains it', async () => {
  const repo = new GitRepository();
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`docs/${i}.md`, 'nothing\n']));
  repo.commit({ ...many, 'a/package.json': '"eslint-plugin"\n', 'b/package.json': '"eslint-plugin"\n' });
  const { git } = await openRepository(repo.dir, []);
  const tree = await GitTree.read(git, repo.git('rev-parse', 'HEAD^{tree}'));
  const objects = new ObjectReader(git);
  const read: string[] = [];
  const counted = {
    blob: (blob: string, most: number) => {
      read.push(blob);
      return objects.blob(blob, most);
    },
  };
  try {
    const search = new WordSearch(git, counted, tree);
    const lost = new Set(['a/package.json']);
    expect(await search.isHeldBeside(tree, 'eslint-plugin', lost, [...lost])).toBe(true);
    expect(read).toEqual([tree.blob('b/package.json')]);
    lost.add('b/package.json');
    expect(await search.isHeldBeside(tree, 'eslint-plugin', lost, [...lost])).toBe(false);
  } finally {
    objects.close();
  }
});

test('git searches files that are too large to be read here', async () => {
  const repo = new GitRepository();
  repo.commit({
    'large.txt': `${'- '.repeat(5 * 1024 * 1024)}\nneedle 12\n`,
    'small.txt': 'needle user-id\n',
    '[odd].txt': 'pin user id\n',
  });
  const { git } = await openRepository(repo.dir, []);
  const objects = new ObjectReader(git);
  try {
    const tree = await GitTree.read(git, repo.git('rev-parse', 'HEAD^{tree}'));
    const search = new WordSearch(git, objects, tree);
    expect(await search.holders(tree, ['needle', '12', 'pin', 'user-id', 'nowhere'])).toEqual(
      new Map([
        ['needle', new Set(['small.txt', 'large.txt'])],
        ['12', new Set(['large.txt'])],
        ['pin', new Set(['[odd].txt'])],
        ['user-id', new Set(['small.txt'])],
      ]),
    );
  } finally {
    objects.close();
  }
});
