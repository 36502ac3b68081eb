import { expect, test } from 'vitest';
import { hashOf, WordIndex, WordIndexBuilder } from './word-index.ts';

test('words with the same hash keep their own files, also in an index that was kept', () => {
  const [one, other, absent] = ['w4pvu', 'wb3ea', 'w4pvv'];
  expect(hashOf(one)).toBe(hashOf(other));
  const builder = new WordIndexBuilder();
  for (const text of [one, `${other} ${one}`, 'unrelated', other]) builder.add(Buffer.from(text));
  const built = builder.build();
  for (const index of [built, WordIndex.fromText(built.toText())]) {
    expect([...index.filesWith(one)]).toEqual([0, 1]);
    expect([...index.filesWith(other)]).toEqual([1, 3]);
    expect([...index.filesWith(absent)]).toEqual([]);
  }
});
