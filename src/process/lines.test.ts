import { expect, test } from 'vitest';
import { Lines } from './lines.ts';

function cut(chunks: readonly (string | Buffer)[], longest = 100) {
  const lines: string[] = [];
  let tooLong = 0;
  const cutter = new Lines(
    (line) => lines.push(line),
    longest,
    () => {
      tooLong += 1;
    },
  );
  for (const chunk of chunks) cutter.add(Buffer.from(chunk));
  cutter.end();
  return { lines, tooLong };
}

test('lines end at line feeds, wherever the chunks do', () => {
  expect(cut(['a\nb', 'c\r\n', '\n', 'd']).lines).toEqual(['a', 'bc', '', 'd']);
});

test('no other character ends a line, and no character is split', () => {
  const text = '{"say":"one\u2028two\u2029three\rfour é"}';
  const bytes = Buffer.from(`${text}\n`);
  expect(cut([...bytes].map((byte) => Buffer.from([byte]))).lines).toEqual([text]);
});

test('a line that is too long is reported once, and nothing after it is read', () => {
  expect(cut(['ok\n', 'x'.repeat(60), 'x'.repeat(60), 'x'.repeat(60), '\nlate\n'])).toEqual({
    lines: ['ok'],
    tooLong: 1,
  });
});
