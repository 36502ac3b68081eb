import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf, cutColumns, wrapColumns } from './columns.ts';

test('wide, combining and joined characters have the width that a terminal gives them', () => {
  expect(columnsOf('abc')).toBe(3);
  expect(columnsOf('漢字')).toBe(4);
  expect(columnsOf('e\u0301')).toBe(1);
  expect(columnsOf('👩‍👩‍👧')).toBe(2);
});

describe('cutting', () => {
  test('marks the cut on either side', () => {
    expect(cutColumns('abcdefghij', 0, 10, '…')).toBe('abcdefghij');
    expect(cutColumns('abcdefghij', 0, 5, '…')).toBe('abcd…');
    expect(cutColumns('abcdefghij', 3, 5, '…')).toBe('…efg…');
    expect(cutColumns('abcdefghij', 5, 5, '…')).toBe('…ghij');
    expect(cutColumns('abcdefghij', 0, 6, '...')).toBe('abc...');
  });

  test('never shows half a wide character, and keeps what follows in its column', () => {
    expect(cutColumns('漢字漢字', 0, 4, '…')).toBe('漢…');
    expect(cutColumns('漢字漢字', 2, 6, '…')).toBe('… 漢字');
  });

  test('never exceeds the available columns', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.nat(20),
        fc.integer({ min: 4, max: 30 }),
        (text, start, width) => {
          expect(columnsOf(cutColumns(text, start, width, '…'))).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe('wrapping', () => {
  test('breaks at spaces', () => {
    expect(wrapColumns('one two three', 7)).toEqual(['one two', 'three']);
  });

  test('breaks a long path after a slash', () => {
    expect(wrapColumns('src/components/button.tsx', 16)).toEqual(['src/components/', 'button.tsx']);
  });

  test('breaks glued words at their spaces before it breaks a word', () => {
    const glued = 'feat/long (by 60677690, 521df186)'.replaceAll(' ', '\u00a0');
    expect(wrapColumns(glued, 22)).toEqual(['feat/long\u00a0(by', '60677690,\u00a0521df186)']);
  });

  test('a name that is too long because of its comma is broken at a slash', () => {
    const name = 'origin/dependabot/npm_and_yarn/development-dependencies-75607bde7e,';
    expect(wrapColumns(name, 66)).toEqual([
      'origin/dependabot/npm_and_yarn/',
      'development-dependencies-75607bde7e,',
    ]);
  });

  test('loses nothing and fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 30 }), (text, width) => {
        const lines = wrapColumns(text, width);
        expect(lines.join('').replaceAll(/[ \u00a0]/g, '')).toBe(text.replaceAll(/[ \u00a0]/g, ''));
        for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
