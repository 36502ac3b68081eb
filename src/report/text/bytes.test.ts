import { expect, test } from 'vitest';
import { formatBytes } from './bytes.ts';

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KB'],
  [2.4 * 1024 ** 2, '2.4 MB'],
  [2 * 1024 ** 3, '2.0 GB'],
  [5000 * 1024 ** 4, '5000.0 TB'],
])('%d bytes read %s', (bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected);
});
