import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { filesByWord, filesWithWords } from './grep.ts';

const parts = ['page', 'title', 'a.b', 'x', '$y', 'foo', 'foobar', 'é'];
const word = fc
  .array(fc.constantFrom(...parts, '-', '.', '|'), { minLength: 1, maxLength: 3 })
  .map((all) => all.join(''));

test('one search for many words finds the same as one search per word', async () => {
  const repo = new GitRepository();
  const texts = fc.sample(fc.array(word, { maxLength: 12 }), { numRuns: 12, seed: 7 });
  repo.commit(Object.fromEntries(texts.map((all, index) => [`f${index} é.txt`, `${all.join(' ')}\n`])));
  const { git } = await openRepository(repo.dir, []);
  const tree = repo.git('rev-parse', 'HEAD^{tree}');
  const words = [...new Set(fc.sample(word, { numRuns: 40, seed: 8 }))];
  const found = await filesByWord(git, tree, words);
  for (const each of words) {
    const holding = await filesWithWords(git, tree, [each]);
    expect([...(found.get(each) ?? [])].sort(), each).toEqual(holding.sort());
  }
  const single = (await Promise.all(words.map((each) => filesWithWords(git, tree, [each])))).flat();
  expect((await filesWithWords(git, tree, words)).sort()).toEqual([...new Set(single)].sort());
});
