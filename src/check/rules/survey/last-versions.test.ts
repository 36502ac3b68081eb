import { expect, test } from 'vitest';
import { LastVersions } from './last-versions.ts';

test('a version is read once until the file has another one', () => {
  const versions = new LastVersions<string>();
  const read: string[] = [];
  const found = (path: string, text: string) =>
    versions.read(path, text, () => {
      read.push(`${path} ${text}`);
      return text.toUpperCase();
    });
  expect([found('a', 'x'), found('b', 'x'), found('a', 'x'), found('a', 'y'), found('a', 'x')]).toEqual([
    'X',
    'X',
    'X',
    'Y',
    'X',
  ]);
  expect(read).toEqual(['a x', 'b x', 'a y', 'a x']);
});
