import { expect, test } from 'vitest';
import { stepOf } from '#crew/state/state.ts';
import { openBench, task } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';

const node = process.execPath;
const suite = (body: string) =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\n${body}`;

/** A project with one test, about addition. */
function projectWith(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    'package.json': JSON.stringify({ name: 'p', type: 'module', imports: { '#add': './src/add.js' } }),
    'AGENTS.md': `# Guide\n\n## Quality Gates\n\n- test: \`${node} --test tests/*.test.js\`\n`,
    'src/add.js': 'export function add(a, b) {\n  return a + b;\n}\n',
    'src/lib.js': "import { add } from './add.js';\nexport const twice = (a) => add(a, a);\n",
    ...files,
  };
}

const plain = suite("test('adds', () => {\n  assert.equal(add(1, 2), 3);\n});\n");

async function play(files: Readonly<Record<string, string>>, actions: readonly object[], words = '') {
  const repo = makeRepo(files);
  const attempts = [{ task: 'a', n: 1, do: actions }];
  const scenario = { attempts: [...attempts, { role: 'developer', do: [{ exit: 'crashed' }] }] };
  const bench = await openBench(repo, scenario, {
    env: {
      ...process.env,
      JOINERY_STATE_DIR: repo.stateDir,
      JOINERY_CACHE_DIR: `${repo.stateDir}-cache`,
    },
  });
  const run = bench.start({ tasks: [task('a', { files: foldersOf(files), description: words })] });
  const state = await bench.drive(run);
  const events = [...bench.workshop.engine.read(run)];
  const claims = events.flatMap((event) => (event.type === 'attempt.gated' ? [...event.data.claims] : []));
  bench.close();
  const { attempts: made } = stepOf(state, 'a');
  return { verdict: made[0]?.verdict, claims, findings: made[0]?.findings ?? [] };
}

const broken = { edit: { path: 'src/add.js', find: 'a + b', replace: 'a - b' } };
const put = (path: string, content: string) => ({ write: { path, content } });
const foldersOf = (files: Readonly<Record<string, string>>) => [
  ...new Set(Object.keys(files).map((path) => path.replace(/\/.*$/, '/'))),
];
const inTest = (body: string) => suite(`test('adds', () => {\n${body}\n});\n`);

/** Ways to keep a suite green over a broken source: the project before, and what the work does besides breaking it. */
const cheats: readonly (readonly [string, Readonly<Record<string, string>>, readonly object[]])[] = [
  [
    'empties the table of cases',
    {
      'tests/cases.json': '[[1, 2, 3]]\n',
      'tests/add.test.js': suite(
        "import cases from './cases.json' with { type: 'json' };\n\ntest('table', () => {\n  for (const [a, b, sum] of cases) assert.equal(add(a, b), sum);\n});\n",
      ),
    },
    [put('tests/cases.json', '[]\n')],
  ],
  [
    'makes a helper demand nothing',
    {
      'checks/equal.js':
        "import assert from 'node:assert/strict';\nexport function equal(a, b) {\n  assert.equal(a, b);\n}\n",
      'tests/add.test.js':
        "import { test } from 'node:test';\nimport { equal } from '../checks/equal.js';\nimport { add } from '../src/add.js';\n\ntest('helped', () => {\n  equal(add(3, 3), 6);\n});\n",
    },
    [put('checks/equal.js', 'export function equal(_a, _b) {\n  return true;\n}\n')],
  ],
  [
    'leads an alias to a stand-in',
    {
      'tests/add.test.js':
        "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '#add';\n\ntest('adds', () => {\n  assert.equal(add(3, 3), 6);\n});\n",
    },
    [
      put(
        'src/lib.js',
        'export function add(a, b) {\n  return a + b;\n}\nexport const twice = (a) => add(a, a);\n',
      ),
      put('package.json', JSON.stringify({ name: 'p', type: 'module', imports: { '#add': './src/lib.js' } })),
    ],
  ],
  [
    'leaves the assertion behind a loop that never runs',
    { 'tests/add.test.js': plain },
    [put('tests/add.test.js', inTest('  for (const _ of []) assert.equal(add(1, 2), 3);'))],
  ],
];

test.each(cheats)('work that breaks a source and %s is refused', async (_, files, cheat) => {
  const { verdict, claims } = await play(projectWith(files), [broken, ...cheat]);
  expect(verdict).toBe('revise');
  // Its own suite passes: only the tests of base detect it.
  expect(claims).toEqual([
    expect.objectContaining({
      status: 'fail',
      reason: expect.stringMatching(/^1 passed; by the tests of base/),
    }),
  ]);
});

test('work that adds to a source and to its tests is accepted, by the tests of base too', async () => {
  const { verdict, claims } = await play(projectWith({ 'tests/add.test.js': plain }), [
    put('src/add.js', 'export function add(a, b, c = 0) {\n  return a + b + c;\n}\n'),
    put('tests/add.test.js', `${plain}\ntest('adds three', () => {\n  assert.equal(add(1, 2, 3), 6);\n});\n`),
  ]);
  expect({ verdict, status: claims[0]?.status }).toEqual({ verdict: 'approve', status: 'pass' });
  expect(claims[0]?.reason).toBe('2 passed; by the tests of base too: 1 passed');
});

test('a test whose change the task explicitly asks for is contested: accepted, and reported', async () => {
  const change = [broken, put('tests/add.test.js', plain.replace('2), 3)', '2), -1)'))];
  const words = 'add subtracts from now on. Test-Change: tests/add.test.js: it expected a sum.';
  const { verdict, claims } = await play(projectWith({ 'tests/add.test.js': plain }), change, words);
  expect({ verdict, status: claims[0]?.status }).toEqual({ verdict: 'approve', status: 'warn' });
  expect(claims[0]?.reason).toContain('contested');
  expect(claims[0]?.reason).toContain('the task names tests/add.test.js');
});

test('a new test that was never shown to be able to fail is reported; those that fail on base or a mutant are not', async () => {
  const more = [
    ["adds three', () => {\n  assert.equal(add(1, 2, 3), 6);"],
    ["adds two', () => {\n  assert.equal(add(4, 2), 6);"],
    ["is there', () => {\n  assert.equal(typeof add, 'function');"],
  ].map(([body]) => `\ntest('${body}\n});\n`);
  const { verdict, claims } = await play(projectWith({ 'tests/add.test.js': plain }), [
    put('src/add.js', 'export function add(a, b, c = 0) {\n  return a + b + c;\n}\n'),
    put('tests/add.test.js', plain + more.join('')),
  ]);
  expect({ verdict, status: claims[0]?.status }).toEqual({ verdict: 'approve', status: 'warn' });
  expect(claims[0]?.reason).toBe(
    '4 passed; by the tests of base too: 1 passed; not shown able to fail: tests/add.test.js: is there',
  );
});
