import { describe, expect, test } from 'vitest';
import { reportOf } from '#crew/state/report.ts';
import { stepOf } from '#crew/state/state.ts';
import type { RunEvent } from '#schema/event.ts';
import { RunReport } from '#schema/run.ts';
import { openBench, task } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';

const project = {
  'package.json': '{"name":"p","scripts":{"test":"node suite.cjs"}}\n',
  'AGENTS.md': '# Guide\n\n## Quality Gates\n\n- test: `npm test`\n',
  // A suite that always passes: only grounding is tested here.
  'suite.cjs': "console.log('1 passed');\n",
  'src/one.ts': 'export function one() {\n  return 2;\n}\n',
  'src/one.test.ts':
    "import { one } from './one.ts';\n\ntest('one', () => {\n  expect(one()).toBe(1);\n});\n",
};

/** A project whose gates run on any machine. */
const runnable = {
  'package.json': '{"name":"p","type":"module","scripts":{"test":"node --test"}}\n',
  'AGENTS.md': `# Guide\n\n## Quality Gates\n\n- lint: \`true\`\n- test: \`${process.execPath} --test\`\n`,
  'src/one.ts': 'export function one() {\n  return 2;\n}\n',
  'check.test.mjs':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { one } from './src/one.ts';\n\ntest('is three', () => {\n  assert.equal(one(), 3);\n});\n",
};

async function play(
  actions: readonly (readonly object[])[],
  tasks: object[] = [task('a', { files: ['src/one.ts'] })],
  files: Readonly<Record<string, string>> = project,
  env: Readonly<Record<string, string>> = {},
) {
  const repo = makeRepo(files);
  const attempts = actions.map((list, index) => ({ task: 'a', n: index + 1, do: list }));
  const bench = await openBench(
    repo,
    {
      attempts: [...attempts, { role: 'developer', do: [{ exit: 'crashed' }] }],
    },
    {
      env: {
        ...process.env,
        ...env,
        JOINERY_STATE_DIR: repo.stateDir,
        JOINERY_CACHE_DIR: `${repo.stateDir}-cache`,
      },
    },
  );
  const run = bench.start({ tasks });
  const state = await bench.drive(run);
  const events = [...bench.workshop.engine.read(run)];
  const prompts = events.flatMap((event) =>
    event.type === 'attempt.prompted' ? [bench.workshop.engine.artifact(run, event.data.sha256) ?? ''] : [],
  );
  bench.close();
  return { state, events, prompts, step: stepOf(state, 'a') };
}

function grounded(events: readonly RunEvent[]) {
  return events.flatMap((event) => (event.type === 'attempt.grounded' ? [event.data] : []));
}

const work = { edit: { path: 'src/one.ts', find: 'return 2', replace: 'return 3' } };

describe('an attempt', () => {
  test.each([
    [
      'sets "test" to "exit 0"',
      { edit: { path: 'package.json', find: 'node suite.cjs', replace: 'exit 0' } },
    ],
    ['deletes the failing test', { delete: 'src/one.test.ts' }],
    ['adds .skip', { edit: { path: 'src/one.test.ts', find: "test('one'", replace: "test.skip('one'" } }],
    ['edits the gates in AGENTS.md', { edit: { path: 'AGENTS.md', find: 'npm test', replace: 'true' } }],
    [
      'replaces toBe(1) by toBeDefined()',
      { edit: { path: 'src/one.test.ts', find: 'toBe(1)', replace: 'toBeDefined()' } },
    ],
  ])('that %s is not accepted, and the same once more goes to a person', async (_, cheat) => {
    const { step, events, prompts } = await play([[work, cheat], [{ say: 'done as asked' }]]);
    expect(step.status).toBe('escalated');
    expect(step.attempts).toHaveLength(2);
    expect(grounded(events).map(({ status }) => status)).toEqual(['fail', 'fail']);
    expect(prompts[1]).toContain('Problems of the previous attempt');
    expect(prompts[1]).toMatch(/revert it; if the task cannot be done without it/);
    expect(events.some(({ type }) => type === 'step.accepted')).toBe(false);
  });

  test('that reverts its tampering is accepted', async () => {
    const { step } = await play([
      [work, { edit: { path: 'src/one.test.ts', find: 'toBe(1)', replace: 'toBeDefined()' } }],
      [{ edit: { path: 'src/one.test.ts', find: 'toBeDefined()', replace: 'toBe(1)' } }],
    ]);
    expect(step.status).toBe('accepted');
  });

  test('that is blocked asks a person at once, with its question', async () => {
    const { step, state } = await play([[work, { handoff: { status: 'blocked', blocker: 'one of what?' } }]]);
    expect(step.status).toBe('escalated');
    expect(step.attempts).toHaveLength(1);
    expect([...state.questions.values()][0]?.question.text).toContain('one of what?');
  });

  test('that leaves its scope may amend its declaration with a reason', async () => {
    const extra = ['a.md', 'b.md', 'c.md'].map((path) => ({ write: { path, content: 'x\n' } }));
    const amends = ['a.md', 'b.md', 'c.md'].map((file) => ({
      file,
      reason: 'the docs would be wrong without it',
    }));
    const { step, events } = await play([[work, ...extra], [{ handoff: { amends } }]]);
    expect(step.attempts.map(({ verdict }) => verdict)).toEqual(['revise', 'approve']);
    expect(step.status).toBe('accepted');
    expect(grounded(events)[1]?.amendments).toEqual(amends.map((each) => ({ ...each, refused: null })));
    expect(step.granted).toEqual(['a.md', 'b.md', 'c.md']);
  });

  test('never gets a file of another unfinished task, whatever the reason', async () => {
    const amends = [{ file: 'src/two.ts', reason: 'I really need it to get this done' }];
    const { step, events } = await play(
      [
        [
          work,
          { write: { path: 'src/two.ts', content: 'export const two = 2;\n' } },
          { handoff: { amends } },
        ],
        [{ handoff: { amends } }],
      ],
      [task('a', { files: ['src/one.ts'] }), task('b', { files: ['src/two.ts'], dependsOn: ['a'] })],
    );
    expect(step.status).toBe('escalated');
    expect(grounded(events)[0]?.amendments[0]?.refused).toContain('belongs to task b');
    expect(step.reason).toContain('src/two.ts belongs to task b, which is not finished');
  });

  test('is judged by the settings of the base, not by those it writes', async () => {
    const { step, events } = await play([
      [
        work,
        { delete: 'src/one.test.ts' },
        { write: { path: 'joinery.json', content: '{"grounding":{"checks":{"gate-tampering":"off"}}}' } },
      ],
      [{ say: 'again' }],
    ]);
    expect(step.status).toBe('escalated');
    const files = grounded(events)[0]?.checks.flatMap(({ findings }) => findings.map(({ file }) => file));
    expect(files).toEqual(expect.arrayContaining(['src/one.test.ts', 'joinery.json']));
  });

  test.each([
    ['file_exists', 'src/one.ts', true],
    ['file_exists', 'src/two.ts', false],
    ['schema_check', 'src/one.ts#one', true],
    ['schema_check', 'src/one.ts#two', false],
    ['schema_check', 'package.json#scripts.test', true],
    ['schema_check', 'package.json#scripts.lint', false],
    ['test', 'check.test.mjs', true],
    ['test', 'is three', true],
    ['test', 'gone.test.mjs', false],
    ['lint', undefined, true],
  ] as const)('is checked against the criterion %s %s', async (verifyBy, arg, isMet) => {
    const acceptance = [{ text: 'it works', verifyBy, ...(arg === undefined ? {} : { arg }) }];
    const { step, events } = await play(
      [[work], [{ say: 'again' }]],
      [task('a', { files: ['src/one.ts'], acceptance })],
      runnable,
    );
    expect(step.reason).toContain(isMet ? '' : 'not met: it works');
    expect(step.status).toBe(isMet ? 'accepted' : 'escalated');
    const check = grounded(events)[0]?.checks.find(({ name }) => name === 'acceptance');
    expect(check?.status).toBe(isMet ? 'pass' : 'fail');
  });

  test('whose criterion names a test that does not run, beside one that passes, is not accepted', async () => {
    const acceptance = [{ text: 'it is three', verifyBy: 'test', arg: 'is three' }];
    const files = {
      ...runnable,
      'check.test.mjs': `${runnable['check.test.mjs'].replace("test('is three'", "if (!process.env.CI) test('is three'")}\ntest('is there', () => {\n  assert.ok(one());\n});\n`,
    };
    const { step, events } = await play(
      [[{ edit: { path: 'src/one.ts', find: 'return 2', replace: 'return 4' } }], [{ say: 'again' }]],
      [task('a', { files: ['src/one.ts'], acceptance })],
      files,
      { CI: 'true' },
    );
    expect(step.status).toBe('escalated');
    expect(grounded(events)[0]?.criteria[0]).toMatchObject({
      status: 'unmet',
      detail: 'no test "is three" ran and passed',
    });
  });

  test('whose test fails gets the end of its output', async () => {
    const acceptance = [{ text: 'it is three', verifyBy: 'test', arg: 'check.test.mjs' }];
    const { prompts, step } = await play(
      [
        [{ edit: { path: 'src/one.ts', find: 'return 2', replace: 'return 4' } }],
        [{ edit: { path: 'src/one.ts', find: 'return 4', replace: 'return 3' } }],
      ],
      [task('a', { files: ['src/one.ts'], acceptance })],
      runnable,
    );
    expect(prompts[1]).toMatch(/not met: it is three \(test check\.test\.mjs: exit code 1/);
    expect(step.status).toBe('accepted');
  });

  test('that only a person can judge is accepted, and the report says so', async () => {
    const acceptance = [{ text: 'it is beautiful', verifyBy: 'manual' }];
    const { step } = await play([[work]], [task('a', { files: ['src/one.ts'], acceptance })]);
    expect(step.status).toBe('accepted');
    expect(step.attempts[0]?.findings[0]).toMatchObject({ severity: 'important' });
  });

  test('ends with every claim and its evidence', async () => {
    const acceptance = [
      { text: 'it is three', verifyBy: 'test', arg: 'check.test.mjs' },
      { text: 'it is beautiful', verifyBy: 'manual' },
    ];
    const { state, step } = await play(
      [[work]],
      [task('a', { files: ['src/one.ts'], acceptance })],
      runnable,
    );
    const { claims } = RunReport.parse(reportOf('run', state));
    const seen = { task: 'a', evidence: `commit ${step.commit}` };
    expect(claims).toEqual(
      expect.arrayContaining([
        { ...seen, claim: 'the work is done', verifiedBy: 'grounding', status: 'pass' },
        { ...seen, claim: 'gate-tampering', verifiedBy: 'grounding', status: 'pass' },
        { ...seen, claim: 'it is three', verifiedBy: 'test check.test.mjs', status: 'pass' },
        { task: 'a', claim: 'it is beautiful', verifiedBy: 'nobody', status: 'warn' },
        {
          task: 'a',
          claim: 'lint passes',
          verifiedBy: 'true',
          status: 'pass',
          evidence: expect.stringMatching(/^evidence \w/),
        },
      ]),
    );
  });

  test('that cannot be judged is not accepted', async () => {
    const { step } = await play([
      [{ write: { path: 'src/one.ts', content: 'export function {{{\n' } }],
      [{ say: 'again' }],
    ]);
    expect(step.status).toBe('escalated');
    expect(step.reason).toContain('src/one.ts cannot be judged: line 1');
  });
});
