import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

test('src holds code only: samples and recordings lie below test', () => {
  const entries = readdirSync(new URL('../src', import.meta.url), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((name) => !/\.[jt]s$/.test(name))).toEqual([]);
});
