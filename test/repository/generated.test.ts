import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatedFolders, generateFiles } from '#scripts/generated.ts';
import { root } from '#scripts/root.ts';

const files = generateFiles();

describe('generated files are current (npm run generate)', () => {
  test.each([...files])('%s', (path, content) => {
    expect(existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null).toBe(content);
  });

  test.each(generatedFolders)('%s contains nothing else', (folder) => {
    const expected = [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
    expect(readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)).toEqual(expected.sort());
  });
});

test('help fits into 80 columns', () => {
  const help = [...files].filter(([path]) => path.startsWith('bin/help/'));
  const tooLong = help.flatMap(([, text]) => text.split('\n').filter((line) => line.length > 80));
  expect(help.length).toBeGreaterThan(1);
  expect(tooLong).toEqual([]);
});

test('help says what exit code 0 means, for every command', () => {
  const help = [...files].filter(([path]) => path.startsWith('bin/help/') && !path.endsWith('/joinery.txt'));
  expect(help.length).toBeGreaterThan(40);
  expect(help.flatMap(([path, text]) => (/^Exit codes:\n {2}0 /m.test(text) ? [] : [path]))).toEqual([]);
});
