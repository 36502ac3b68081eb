import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type Errors,
  hasFiles,
  isForCompilers,
  mergeCases,
  proveCase,
  writeCases,
} from '#test/support/scenario/cases.ts';
import { readScenarios } from '#test/support/scenario/read-scenarios.ts';
import { chance } from '#test/support/seed.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-oracle-'));
afterAll(() => rm(root, { recursive: true, force: true }), 300_000);

const { git, cases } = await mergeCases(readScenarios(), root);

const strictSettings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2022'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    jsx: 'preserve',
    types: [],
  },
};

/** Errors by folder, without positions: merging moves lines. One compiler run for all folders. */
function compile(folders: readonly string[]): Errors {
  const cwd = join(root, 'trees');
  for (const folder of folders) {
    const path = join(cwd, folder, 'tsconfig.json');
    if (!existsSync(path)) writeFileSync(path, JSON.stringify(strictSettings));
  }
  const bin = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [bin, '-b', '--pretty', 'false', ...folders], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const errors = new Map(folders.map((folder) => [folder, new Set<string>()]));
  for (const line of stdout.split('\n')) {
    const match = /^(?<folder>[^/]+)\/(?<file>[^(]+)(?:\(\d+,\d+\))?: (?<error>error TS.*)$/.exec(line);
    const { folder = '', file, error } = match?.groups ?? {};
    if (error) errors.get(folder)?.add(`${file}: ${error.replaceAll(join(cwd, folder), '')}`);
    else if (line.includes('error TS')) throw new Error(`not understood: ${line}`);
  }
  return errors;
}

describe('the text of every scenario', () => {
  test.each(cases)('$scenario.name merges as it says', ({ scenario, trees }) => {
    const saysConflict = scenario.expected.findings.some(({ rule }) => rule === 'T01');
    expect(trees.has('union') ? 'clean' : 'conflict').toBe(saysConflict ? 'conflict' : 'clean');
  });
});

describe('the TypeScript compiler agrees', async () => {
  const all = cases.filter((entry) => isForCompilers(entry) && hasFiles(entry, /\.tsx?$/));
  const sizes = { normal: 80, wide: all.length, soak: all.length };
  const typed = chance('scenarios that tsc compiles', sizes).pick(all);
  const errors = compile(await writeCases(git, typed, join(root, 'trees')));
  test.each(typed)('with $scenario.name', (entry) => proveCase(entry, errors));
});
