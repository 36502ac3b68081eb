import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import {
  type Errors,
  hasFiles,
  isForCompilers,
  mergeCases,
  proveCase,
  writeCases,
} from '../support/scenario/cases.ts';
import { readScenarios } from '../support/scenario/read-scenarios.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-oracle-'));
afterAll(() => rm(root, { recursive: true, force: true }), 300_000);

/** Errors of importing every module and running every test, in one interpreter. */
function importAll(folders: readonly string[]): Errors {
  const script = join(import.meta.dirname, '../support/scenario/import-all.py');
  const { stdout } = spawnSync('python3', ['-B', script], {
    input: `${folders.map((folder) => join(root, 'trees', folder)).join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const lines = stdout.trimEnd().split('\n');
  return new Map(folders.map((folder, index) => [folder, new Set<string>(JSON.parse(lines[index] ?? ''))]));
}

describe('the Python interpreter agrees', async () => {
  const { git, cases } = await mergeCases(readScenarios(), root);
  const scripts = cases.filter((entry) => isForCompilers(entry) && hasFiles(entry, /\.py$/));
  const errors = importAll(await writeCases(git, scripts, join(root, 'trees')));
  test.each(scripts)('with $scenario.name', (entry) => proveCase(entry, errors));
});
