/**
 * `npm test`, `npm run test:wide` and so on: runs the checks of one suite, then prints a summary. Exit code 1 if anything
 * failed. Further arguments go to vitest: `npm run test:wide -- src/git`.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishInto } from './published.ts';
import { root } from './root.ts';
import { suiteNamed, suites } from './suites.ts';
import { redFiles, type StepResult, summarise, type TestResults } from './test-summary.ts';

const [name = 'test', ...filters] = process.argv.slice(2);
const suite = suiteNamed(name);
const scratch = mkdtempSync(join(tmpdir(), 'joinery-test-'));
const resultsFile = join(scratch, 'results.json');
const secondFile = join(scratch, 'second.json');
const samplesFile = join(scratch, 'samples.txt');
const seed = process.env.JOINERY_SEED ?? String(suite.seed ?? Math.trunc(Math.random() * 2 ** 31));
/** More red files than this are no accident of a busy machine. */
const mostRedFiles = 3;
const env: NodeJS.ProcessEnv = {
  ...process.env,
  JOINERY_SUITE: name,
  JOINERY_SEED: seed,
  JOINERY_SAMPLES: suite.sizes,
  JOINERY_SAMPLES_FILE: samplesFile,
};

try {
  // A caller that names tests knows what they need.
  const missing = filters.length > 0 ? [] : suite.missing();
  const steps = missing.length > 0 ? [] : runSteps();
  const summary = summarise({
    missing,
    steps,
    results: resultsIn(resultsFile),
    second: resultsIn(secondFile),
    samples: readIfThere(samplesFile, (text) => text.trim().split('\n')) ?? [],
    seed,
    sizes: suite.sizes,
    elsewhere: Object.values(suites).filter(({ command }) => command !== suite.command),
  });
  console.log(`\n${summary.text}`);
  // `.ci/run` sums up the results of the suites.
  if (process.env.JOINERY_TALLY)
    appendFileSync(process.env.JOINERY_TALLY, `${summary.passed} ${summary.failed}\n`);
  process.exitCode = summary.failed === 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function runSteps(): StepResult[] {
  const checks = suite.checksCode
    ? [
        runTool('lint and format', 'biome', ['check', '.']),
        runTool('types', process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit']),
        runTool('unused code', 'knip', []),
      ]
    : [];
  const steps = [
    ...checks,
    runStep('build', () => {
      mkdirSync(join(scratch, 'published'));
      env.JOINERY_TEST_EXECUTABLE = publishInto(join(scratch, 'published'));
      return true;
    }),
    runTests('tests', resultsFile, filters),
  ];
  const red = redFiles(resultsIn(resultsFile));
  const isWorthIt = suite.sizes !== 'soak' && red.length > 0 && red.length <= mostRedFiles;
  return isWorthIt
    ? [...steps, runTests('red files alone', secondFile, ['--no-file-parallelism', ...red])]
    : steps;
}

function runTests(name: string, outputFile: string, args: readonly string[]): StepResult {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${outputFile}`];
  return runTool(name, 'vitest', ['run', ...reporters, ...args]);
}

function resultsIn(file: string): TestResults | null {
  return readIfThere<TestResults>(file, JSON.parse);
}

function runTool(name: string, tool: string, args: readonly string[]): StepResult {
  const options = { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32' } as const;
  return runStep(name, () => spawnSync(tool, args, options).status === 0);
}

function runStep(name: string, run: () => boolean): StepResult {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const ok = run();
  return { name, ok, seconds: (performance.now() - started) / 1000 };
}

function readIfThere<T>(file: string, parse: (text: string) => T): T | null {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
