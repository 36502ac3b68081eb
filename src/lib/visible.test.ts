import { expect, test } from 'vitest';
import { visible, visibleLines } from './visible.ts';

test('control characters and escape sequences are shown, not executed', () => {
  expect(visible('a\x1b[31mb\x07\x7f\x9b')).toBe('a\\x1b[31mb\\x07\\x7f\\x9b');
  expect(visible('one\ntwo\r\tthree')).toBe('one\\ntwo\\r\\tthree');
});

test('bytes of a path that are not UTF-8 are shown as bytes', () => {
  expect(visible('caf\udce9.ts')).toBe('caf\\xe9.ts');
  expect(visible('\ud800')).toBe('\\u{d800}');
});

test('text that would reorder or hide its neighbours is escaped', () => {
  expect(visible('a\u202eb\u200bc\u2028d\u{e0041}')).toBe('a\\u{202e}b\\u{200b}c\\u{2028}d\\u{e0041}');
});

test('ordinary text of any script is unchanged', () => {
  const text = 'naïve 漢字 👩‍👩‍👧 می‌خواهم';
  expect(visible(text)).toBe(text);
});

test('line breaks stay in a text that may have several lines', () => {
  expect(visibleLines('a\nb\tc\n\u001b[2J')).toBe('a\nb\\tc\n\\x1b[2J');
});
