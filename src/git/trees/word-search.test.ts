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

test('a search of base and of changed files finds what git finds in the tree of a branch', async () => {
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
  const words = [...new Set(fc.sample(word, { numRuns: 40, seed: 8 }))];
  try {
    const moved = await GitTree.read(git, toGit);
    for (const [base, asked, id] of [
      [baseTree, baseTree, fromGit],
      [baseTree, tree, toGit],
      [baseTree, baseTree, fromGit],
      [moved, moved, toGit],
    ] as const) {
      // The first one builds the index, the others read what was kept of it; of a base that has moved, too.
      const search = new WordSearch(git, objects, base, keptIndex);
      const expected = await filesByWord(git, id, words);
      const sorted = (found: ReadonlyMap<string, ReadonlySet<string>>) =>
        [...found].map(([key, paths]) => [key, [...paths].sort()]).sort();
      expect(sorted(await search.holders(asked, words))).toEqual(sorted(expected));
      for (const few of [words.slice(0, 3), words.slice(3, 20)])
        expect((await search.holding(asked, few)).sort()).toEqual(
          (await filesWithWords(git, id, few)).sort(),
        );
    }
    expect(kept).toHaveLength(1);
  } finally {
    objects.close();
  }
});

test('files that are too large to be read here are searched by git', async () => {
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
