import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Cost, interleave, medianCpu, runMeasured } from './measure.ts';
import type { BenchOptions, Part } from './part.ts';
import { judge, renderTable } from './table.ts';

export const yardstick: Part = {
  name: 'yardstick',
  summary: 'what measuring work by the tests of base costs beside the gate alone',
  run: runPart,
};

const limit = 2.3;
const command = fileURLToPath(new URL('../bin/joinery.js', import.meta.url));
const source = (body: string) => `export function add(a, b) {\n  return ${body};\n}\n`;

/** Ten slow tests, so that our overhead does not count. `witness` gets a line per run. */
const suite = (witness: string) => `import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { test } from 'node:test';
import { add } from '../src/add.js';

appendFileSync(${JSON.stringify(witness)}, 'run\\n');

function work() {
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 200_000);
}
${Array.from(
  { length: 10 },
  (_, n) => `
test('adds ${n}', () => {
  work();
  assert.equal(add(${n}, 2), ${n + 2});
});
`,
).join('')}`;

const project = (gate: string, witness: string): Readonly<Record<string, string>> => ({
  'package.json': '{"name":"p","type":"module"}\n',
  'AGENTS.md': `# Guide\n${gate}`,
  'src/add.js': source('a + b'),
  'docs/index.md': '# Adding\n',
  'tests/add.test.js': suite(witness),
});

const gate = `\n## Quality Gates\n\n- test: \`${process.execPath} --test tests/*.test.js\`\n`;
/** No source changes, so there is nothing to measure: the suite runs on base and on the work. */
const described = { write: { path: 'docs/add.md', content: 'It adds.\n' } };
const changed = { write: { path: 'src/add.js', content: source('b + a + 0') } };
/** Passes only on the work: it fails on base, so no mutant is needed. */
const tested = {
  write: {
    path: 'tests/more.test.js',
    content:
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\n\ntest('is written so', () => {\n  assert.match(add.toString(), /b \\+ a/);\n});\n",
  },
};

async function runPart({ full }: BenchOptions): Promise<string> {
  const samples = await interleave(full ? 5 : 1, {
    none: () => runOnce('', [changed]),
    plain: () => runOnce(gate, [described]),
    changed: () => runOnce(gate, [changed]),
    measured: () => runOnce(gate, [changed, tested]),
  });
  // Refused work is not measured.
  for (const { code, stderr } of Object.values(samples).flat()) if (code !== 0) throw new Error(stderr);
  // Two runs for the attempt, on base and on the work; additional ones belong to the proof of the integration.
  const runs = samples.plain[0]?.suites ?? 0;
  const none = medianCpu(samples.none);
  const plain = medianCpu(samples.plain) - none;
  const suiteMs = plain / runs;
  const ofAttempt = (ms: number) => ms - suiteMs * (runs - 2);
  const row = (what: string, found: readonly Sample[]) => {
    const ms = ofAttempt(medianCpu(found) - none);
    const ratio = ms / ofAttempt(plain);
    return [
      what,
      seconds(ofAttempt(plain)),
      seconds(ms),
      `${(found[0]?.suites ?? 0) - (runs - 2)} for 2`,
      ratio.toFixed(2),
      `${limit} ×`,
      judge(ratio <= limit),
    ];
  };
  return renderTable(
    ['work', 'gate alone', 'with the yardstick', 'suites', 'ratio', 'limit', 'verdict'],
    [row('a source', samples.changed), row('a source and a new test', samples.measured)],
  );
}

interface Sample extends Cost {
  /** How many times the suite ran. */
  readonly suites: number;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s CPU`;
}

/** A run of one task, from a fresh repository to its end. */
async function runOnce(gates: string, actions: readonly object[]): Promise<Sample> {
  const root = mkdtempSync(join(tmpdir(), 'joinery-bench-'));
  try {
    const dir = join(root, 'r');
    const witness = join(root, 'witness');
    writeFileSync(witness, '');
    for (const [path, text] of Object.entries(project(gates, witness))) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args], { cwd: dir });
    git('init', '-q', '-b', 'main');
    git('add', '--all');
    git('commit', '-q', '-m', 'base');
    const tasks = [{ id: 'a', title: 'Add', files: ['src/', 'tests/', 'docs/'] }];
    writeFileSync(join(root, 'plan.json'), JSON.stringify({ schema: 'joinery/plan@1', tasks }));
    const attempts = [{ task: 'a', do: actions }];
    writeFileSync(join(root, 'scenario.json'), JSON.stringify({ schema: 'joinery/scenario@1', attempts }));
    const wanted = ['--plan', join(root, 'plan.json'), '--agent', 'scripted'];
    const cost = await runMeasured(
      process.execPath,
      [command, 'run', '--no-land', ...wanted, '--scenario', join(root, 'scenario.json')],
      { cwd: dir, env: { JOINERY_STATE_DIR: join(root, 'state'), JOINERY_CACHE_DIR: join(root, 'cache') } },
    );
    return { ...cost, suites: readFileSync(witness, 'utf8').split('\n').length - 1 };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
