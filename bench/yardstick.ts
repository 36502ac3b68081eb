import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleave, medianCpu, runMeasured } from './measure.ts';
import type { BenchOptions, Part } from './part.ts';
import { judge, renderTable } from './table.ts';

export const yardstick: Part = {
  name: 'yardstick',
  summary: 'what measuring work by the tests of base costs beside the gate alone',
  run: runPart,
};

const limit = 2.3;
/** The run asks whether its work may land. */
const waitsForPerson = 2;
const command = fileURLToPath(new URL('../bin/joinery.js', import.meta.url));
const source = (body: string) => `export function add(a, b) {\n  return ${body};\n}\n`;

/** Ten tests that take their time, so that what we add around them does not count. */
const suite = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.js';

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

const project = (gate: string): Readonly<Record<string, string>> => ({
  'package.json': '{"name":"p","type":"module"}\n',
  'AGENTS.md': `# Guide\n${gate}`,
  'src/add.js': source('a + b'),
  'tests/add.test.js': suite,
});

const gate = `\n## Quality Gates\n\n- test: \`${process.execPath} --test tests/*.test.js\`\n`;
/** No source changes, so that there is nothing to measure: the suite runs on base and on the work. */
const described = { write: { path: 'docs/add.md', content: 'It adds.\n' } };
const changed = { write: { path: 'src/add.js', content: source('b + a + 0') } };
/** Passes on the work alone: red on base, so that no mutant is needed. */
const tested = {
  write: {
    path: 'tests/more.test.js',
    content:
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\n\ntest('is written so', () => {\n  assert.match(add.toString(), /b \\+ a/);\n});\n",
  },
};

async function runPart({ full }: BenchOptions): Promise<string> {
  const samples = await interleave(full ? 5 : 1, {
    none: () => runOnce(project(''), [changed]),
    plain: () => runOnce(project(gate), [described]),
    changed: () => runOnce(project(gate), [changed]),
    measured: () => runOnce(project(gate), [changed, tested]),
  });
  for (const { code, stderr } of Object.values(samples).flat())
    if (code !== 0 && code !== waitsForPerson) throw new Error(stderr);
  const none = medianCpu(samples.none);
  const plain = medianCpu(samples.plain) - none;
  const row = (what: string, ms: number) => [
    what,
    seconds(plain),
    seconds(ms),
    (ms / plain).toFixed(2),
    `${limit} ×`,
    judge(ms / plain <= limit),
  ];
  return renderTable(
    ['work', 'gate alone', 'with the yardstick', 'ratio', 'limit', 'verdict'],
    [
      row('a source', medianCpu(samples.changed) - none),
      row('a source and a new test', medianCpu(samples.measured) - none),
    ],
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s CPU`;
}

/** A run of one task, from a fresh repository to its end. */
async function runOnce(files: Readonly<Record<string, string>>, actions: readonly object[]) {
  const root = mkdtempSync(join(tmpdir(), 'joinery-bench-'));
  try {
    const dir = join(root, 'r');
    for (const [path, text] of Object.entries(files)) {
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
    return await runMeasured(
      process.execPath,
      [command, 'run', ...wanted, '--scenario', join(root, 'scenario.json')],
      { cwd: dir, env: { JOINERY_STATE_DIR: join(root, 'state'), JOINERY_CACHE_DIR: join(root, 'cache') } },
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
