/** `npm test`: every check of the repository, then an honest summary. Exit code 1 when anything failed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractLine } from './contract-agents.ts';
import { root } from './root.ts';
import { type StepResult, summarise, type TestResults } from './test-summary.ts';

const scratch = mkdtempSync(join(tmpdir(), 'joinery-test-'));
const resultsFile = join(scratch, 'results.json');
const samplesFile = join(scratch, 'samples.jsonl');

const isSoak = process.argv.includes('--soak') || process.env.JOINERY_SOAK === '1';
const seed = process.env.JOINERY_SEED ?? String(Math.trunc(Math.random() * 2 ** 31));
const env = {
  ...process.env,
  JOINERY_SEED: seed,
  JOINERY_SAMPLES_FILE: samplesFile,
  ...(isSoak ? { JOINERY_SOAK: '1' } : {}),
};

try {
  const steps = [
    runStep('lint and format', 'biome', ['check', '.']),
    runStep('types', process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit']),
    runStep('unused code', 'knip', []),
    runStep('tests', 'vitest', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${resultsFile}`,
    ]),
  ];
  const summary = summarise({
    steps,
    results: readIfThere<TestResults>(resultsFile, JSON.parse),
    samples: readIfThere(samplesFile, (text) => text.trim().split('\n')) ?? [],
    seed,
    isSoak,
    contracts: contractLine(isSoak),
  });
  console.log(`\n${summary.text}`);
  process.exitCode = summary.failed === 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function runStep(name: string, tool: string, args: readonly string[]): StepResult {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const { status } = spawnSync(tool, args, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return { name, ok: status === 0, seconds: (performance.now() - started) / 1000 };
}

function readIfThere<T>(file: string, parse: (text: string) => T): T | null {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
