import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesAround } from './lines-around.ts';

test('only the lines with the word, and what belongs to it above and below', () => {
  expect(linesAround('a\nb mail c\nd\n', 'mail')).toEqual(['b mail c']);
  expect(linesAround('a (\n\n  mail\n  , b\nc', 'mail')).toEqual(['a (\n\n  mail\n  , b']);
  expect(linesAround('x\nfrom\n  shop.mail\nimport y\nz', 'mail')).toEqual(['from\n  shop.mail\nimport y']);
  expect(linesAround('mail', 'mail')).toEqual(['mail']);
  expect(linesAround('nothing', 'mail')).toEqual([]);
});

test('an expression about the word matches these lines if it matches the text', () => {
  const forms = [
    /["'./]m(?:\.\w+)?["'./:]|\bimport\b[^\n]{0,500}\bm\b|from\s+\.?[\w.]*\bm\s+import/,
    /[.,({[]\s*m\b|\bm\s*[.,)}\]]/,
  ];
  const pieces = [
    'm',
    'm',
    ' ',
    '\n',
    '\n',
    '\t',
    '.',
    ',',
    '(',
    ']',
    '"',
    '/',
    'x',
    'from ',
    'import',
    'import ',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text, (whole) => {
      for (const form of forms)
        expect(linesAround(whole, 'm').some((lines) => form.test(lines))).toBe(form.test(whole));
    }),
    { numRuns: 3000 },
  );
});

test('a long line with many occurrences is read once', () => {
  const line = 'mail,'.repeat(50_000);
  expect(linesAround(line, 'mail')).toEqual([line]);
});
