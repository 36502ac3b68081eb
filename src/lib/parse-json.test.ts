import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJson, parseJsonFile } from './parse-json.ts';

test.each([
  ['{"a": 1}', { a: 1 }],
  ['\uFEFF{"a": 1}', { a: 1 }],
  ['null', null],
  ['', undefined],
  ['{"a": 1', undefined],
])('parses %j', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test('a file that is missing, a folder or not JSON has no value', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joinery-test-'));
  try {
    writeFileSync(join(folder, 'good.json'), '[1]');
    writeFileSync(join(folder, 'bad.json'), '[1');
    expect(parseJsonFile(join(folder, 'good.json'))).toEqual([1]);
    for (const path of [join(folder, 'bad.json'), join(folder, 'none.json'), folder])
      expect(parseJsonFile(path)).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
