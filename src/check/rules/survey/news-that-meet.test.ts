import { expect, test } from 'vitest';
import type { Change } from '#git/trees/tree.ts';
import { withLines } from './changed-text.ts';
import { newsThatMeet } from './news-that-meet.ts';
import type { NewsReader } from './read-news.ts';
import { type FileNews, readFile } from './readings.ts';

/** Texts of base's files, before and after; no facts, so that tests use no imported names unless they are given. */
function readerOf(
  texts: Readonly<Record<string, readonly [before: string, after: string]>>,
  uses: string[] = [],
) {
  const read: string[] = [];
  const changes = Object.keys(texts).map(
    (path): Change => ({ status: 'modified', path, oldPath: null, before: null, after: null }),
  );
  const imports = uses.map((local) => ({ local, imported: local, from: './round' }));
  const reader: Pick<NewsReader, 'read'> = {
    read: async (asked, kinds, isAsked = () => true) => {
      const news = new Map<string, FileNews>();
      for (const { path } of asked) {
        const [before = '', after = ''] = texts[path] ?? [];
        const facts = { factsBefore: { imports } as never, factsAfter: undefined };
        const file = withLines({ path, oldPath: path, isNew: false, isGone: false, before, after, ...facts });
        const open = kinds.filter((kind) => (kind === 'tests' || kind === 'names') && isAsked(kind, file));
        if (open.length > 0) read.push(path);
        news.set(path, await readFile(file, open, async () => undefined));
      }
      return news;
    },
  };
  return { reader: reader as NewsReader, changes, read };
}

const testOf = (name: string) => `test('${name}', () => { expect(${name}(1)).toBe(2); });\n`;
const changing = (name: string): FileNews => ({
  code: { pieces: [], names: [], changed: [{ name, symbol: name, line: 1 }], added: [], gone: [] },
});
const texts = {
  'a.test.ts': [testOf('roundHalf'), ''],
  'b.test.ts': [testOf('other'), testOf('other') + testOf('roundHalf')],
  'c.test.ts': [testOf('other'), ''],
} as const;

test('tests of base are read where they mention a function that the branch changes', async () => {
  const { reader, changes, read } = readerOf(texts);
  await newsThatMeet(reader, changes, new Map([['round.ts', changing('roundHalf')]]));
  expect(read).toEqual(['a.test.ts']);
});

test('all of them are read when a test of such a function is dropped: it may have moved', async () => {
  const { reader, changes, read } = readerOf(texts, ['roundHalf']);
  const found = await newsThatMeet(reader, changes, new Map([['round.ts', changing('roundHalf')]]));
  expect(read).toEqual(['a.test.ts', ...Object.keys(texts)]);
  expect(found.get('b.test.ts')?.tests?.added).toEqual([{ id: 'roundHalf', line: 2 }]);
});

test('tests of a file that the branch changes too are read', async () => {
  const { reader, changes, read } = readerOf(texts);
  await newsThatMeet(reader, changes, new Map([['c.test.ts', changing('unrelated')]]));
  expect(read).toEqual(['c.test.ts']);
});

test('names of base are read where a line that differs contains a name that the branch changes', async () => {
  const { reader, changes, read } = readerOf({
    'a.yml': ['API_TOKEN: 1\n', ''],
    'b.yml': ['API_TOKEN: 1\nother: 1\n', 'API_TOKEN: 1\nother: 2\n'],
    'c.yml': ['API_TOKEN: 1\n', 'API_TOKEN: 1\nAPI_TOKEN: 1\n'],
  });
  const found = await newsThatMeet(
    reader,
    changes,
    new Map<string, FileNews>([['x.yml', { names: { gone: [], added: [['API_TOKEN', 1, 'used']] } }]]),
  );
  expect(read).toEqual(['a.yml', 'c.yml']);
  expect(found.get('a.yml')?.names?.gone).toEqual([['API_TOKEN', 1, 'defined']]);
});
