import { expect, test } from 'vitest';
import type { TextPair } from './rule.ts';
import { textualConflict } from './t01-textual-conflict.ts';

/** What the rule says about two branches for which git reports these conflicts. */
function said(paths: readonly string[], ...messages: string[]) {
  const side = (ref: string) => ({ ref, isBase: false, changes: paths });
  const pair = { a: side('a'), b: side('b'), conflict: { paths, messages }, sites: [] };
  const [found] = textualConflict.detect.text(pair as unknown as TextPair);
  return found?.diagnosis;
}

const inLines = 'CONFLICT (content): Merge conflict in a.txt';
const inDeleted = 'CONFLICT (modify/delete): b.txt deleted in a and modified in b.';

test.each([
  [['a.txt'], [inLines], 'a and b change the same lines of a.txt'],
  [
    ['a.png'],
    [
      'warning: Cannot merge binary files: a.png (ff51062 vs. 5844e30)',
      'CONFLICT (content): Merge conflict in a.png',
    ],
    'a and b change the binary file a.png, which git cannot merge',
  ],
  [['a.txt', 'b.txt'], [inLines, inLines], 'a and b change the same lines of 2 files'],
  [['a.txt', 'b.txt'], [inLines, inDeleted], 'a and b conflict in 2 files'],
  [['b.txt'], [inDeleted], 'a and b conflict in b.txt: one deletes it, the other changes it'],
  [['c.txt'], ['CONFLICT (add/add): Merge conflict in c.txt'], 'a and b add c.txt with different content'],
  [
    ['d.txt'],
    ['CONFLICT (rename/delete): e.txt renamed to d.txt in a, but deleted in b.'],
    'a and b conflict in d.txt',
  ],
] as const)('a conflict in %j is described as what it is', (paths, messages, message) => {
  expect(said(paths, ...messages)?.message).toBe(message);
});

test('a file in the way of a folder keeps its name: the one that git gives it changes with each commit', () => {
  const moved = `docs~${'4'.repeat(40)}`;
  const found = said(
    [moved],
    `CONFLICT (file/directory): directory in the way of docs; moving it to ${moved}`,
  );
  expect(found?.message).toBe('a and b conflict in docs');
  expect(found?.providerKey).toBe('docs#');
});
