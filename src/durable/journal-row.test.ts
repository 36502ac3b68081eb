import { expect, test } from 'vitest';
import { checksum, isIntact, type JournalRow } from './journal-row.ts';

test('a row is intact when every part is as written', () => {
  const content = {
    run: 'r',
    kind: 'event' as const,
    seq: 1,
    at: null,
    type: 'run.created',
    v: 1,
    step: null,
    attempt: null,
    key: null,
    data: '{}',
    last: 1,
  };
  const row: JournalRow = { id: 1, ...content, sum: checksum(content) };
  expect(isIntact(row)).toBe(true);
  expect(isIntact({ ...row, data: '{ }' })).toBe(false);
  expect(isIntact({ ...row, seq: 2 })).toBe(false);
  // A flipped byte in the table's definition gives the column another name.
  for (const data of [undefined, null, 7, new Uint8Array([1])])
    expect(isIntact({ ...row, data: data as unknown as string })).toBe(false);
});
