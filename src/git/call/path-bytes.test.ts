import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sample } from '#test/support/sampling.ts';
import { decodePath, encodePath } from './path-bytes.ts';

test('leaves valid UTF-8 as it is', () => {
  for (const path of ['src/a.ts', 'späce 🎉', '\ufffd', '日本/語'])
    expect(decodePath(Buffer.from(path))).toBe(path);
});

test('gives every path its own string', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const same = Buffer.from(a).equals(Buffer.from(b));
      expect(decodePath(Buffer.from(a)) === decodePath(Buffer.from(b))).toBe(same);
    }),
    sample('paths as text', { normal: 200, soak: 2000 }),
  );
});

test('gets the bytes back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (bytes) => {
      expect(encodePath(decodePath(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
    }),
    sample('paths back to bytes', { normal: 200, soak: 2000 }),
  );
});

test('shows a byte that is not valid UTF-8 as a lone surrogate', () => {
  expect(decodePath(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\udcffb');
});
