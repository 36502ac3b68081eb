import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AgentConfig } from '#schema/agent.ts';
import { openBench, task, writes } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { classifyFailure, type FailureFacts, toolUse } from './classify.ts';
import { stepOf } from './state.ts';
import { whyOf } from './why.ts';

const facts: FailureFacts = {
  outcome: 'ok',
  reason: '',
  tools: { seen: 0, explored: 0, wrote: 0 },
  dropped: [],
  hasWork: true,
  checks: [],
  findings: [{ fingerprint: 'x', severity: 'blocking', message: 'src/a.ts: wrong\nmore' }],
  declared: 1,
  blocker: null,
  notes: '',
  hasHandoff: true,
};
const scope = (messages: string[], owner?: string): FailureFacts['checks'] => [
  {
    name: 'declared-scope',
    status: 'fail',
    findings: messages.map((message) => ({
      check: 'declared-scope',
      severity: 'blocking',
      fingerprint: message,
      message,
      hint: '',
      ...(owner === undefined ? {} : { owner }),
    })),
  },
];
const read = { seen: 20, explored: 18, wrote: 0 };

describe('a failure', () => {
  test.each<[string, Partial<FailureFacts>]>([
    ['api-error', { outcome: 'api_error', reason: '529 overloaded', tools: read, hasWork: false }],
    ['denied', { outcome: 'denied' }],
    ['context-cut', { outcome: 'crashed', reason: 'prompt is too long: 210000 tokens' }],
    ['context-cut', { dropped: ['handoff/model#summary'], notes: 'I do not know what came from model.' }],
    ['exploration-death', { outcome: 'limit', tools: read, hasWork: false }],
    ['exploration-death', { outcome: 'timeout', tools: read, hasWork: false }],
    ['exploration-death', { tools: read, hasWork: false }],
    ['turn-exhaustion', { outcome: 'limit', tools: read, hasWork: true }],
    ['turn-exhaustion', { outcome: 'limit', tools: { seen: 9, explored: 9, wrote: 0 }, hasWork: false }],
    ['timeout', { outcome: 'timeout' }],
    ['crash', { outcome: 'crashed', reason: 'SIGSEGV' }],
    ['ambiguous-spec', { blocker: 'which of the two ports is meant?' }],
    ['missing-dependency', { blocker: 'zod is not installed' }],
    [
      'missing-dependency',
      {
        findings: [{ fingerprint: 'gate', severity: 'blocking', message: "Error: Cannot find module 'zod'" }],
      },
    ],
    [
      'implementation-error',
      {
        findings: [{ fingerprint: 'gate', severity: 'blocking', message: "Cannot find module './mine.ts'" }],
      },
    ],
    ['scope-wrong', { checks: scope(['b.ts'], 'b') }],
    ['implementation-error', { checks: scope(['it says: belongs to task b']) }],
    ['scope-wrong', { checks: scope(['a', 'b', 'c']) }],
    ['implementation-error', { checks: scope(['a', 'b', 'c']), declared: 9 }],
    [
      'no-handoff',
      {
        hasHandoff: false,
        findings: [{ fingerprint: 'handoff:fail', severity: 'blocking', message: 'none' }],
      },
    ],
    ['implementation-error', {}],
  ])('is %s: %o', (expected, given) => {
    expect(classifyFailure({ ...facts, ...given }).class).toBe(expected);
  });

  test('distinguishes reading from writing, whatever the tools are called', () => {
    const uses = [
      ['Read', 'a.ts'],
      ['Bash', 'rg foo src'],
      ['shell', 'cd src && ls'],
      ['Edit', 'a.ts'],
      ['apply_patch', ''],
      ['Bash', 'npm test'],
    ] as const;
    expect(uses.map(([tool, detail]) => toolUse(tool, detail))).toEqual([
      'explored',
      'explored',
      'explored',
      'wrote',
      'wrote',
      'other',
    ]);
  });
});

const project = { 'README.md': 'hello\n' };

describe('after a failure', () => {
  test('the next attempt continues from work that a limit interrupted', async () => {
    const bench = await openBench(makeRepo(project), {
      attempts: [
        { task: 'a', n: 1, do: [{ write: { path: 'a.txt', content: 'half\n' } }, { exit: 'limit' }] },
        { task: 'a', n: 2, do: [{ edit: { path: 'a.txt', find: 'half', replace: 'whole' } }] },
      ],
    });
    const run = bench.start({ tasks: [task('a', { files: ['a.txt'] })] });
    const state = await bench.drive(run);
    const step = stepOf(state, 'a');
    expect(step.status).toBe('accepted');
    expect(step.attempts[0]?.failure).toMatchObject({ class: 'turn-exhaustion' });
    expect(step.attempts[1]?.from).toBe(step.attempts[0]?.kept);
    const second = [...bench.workshop.engine.read(run)].findLast(
      (event) => event.type === 'attempt.prompted',
    );
    const text =
      second?.type === 'attempt.prompted' ? bench.workshop.engine.artifact(run, second.data.sha256) : '';
    expect(text).toContain('work of the previous attempt: finish it');
    bench.close();
  });

  test('work that took too long goes to the next tier', async () => {
    const models = { fast: 'small', standard: 'middle', strong: 'big' };
    const bench = await openBench(
      makeRepo(project),
      { attempts: [{ task: 'a', n: 1, do: [{ exit: 'timeout' }] }, writes('a', 'a.txt')] },
      { agentSettings: { agents: { scripted: AgentConfig.parse({ models }) }, mcpServers: {} } },
    );
    const run = bench.start({ tasks: [task('a')] });
    const step = stepOf(await bench.drive(run), 'a');
    expect(step.attempts.map(({ tier, outcome }) => [tier, outcome])).toEqual([
      ['standard', 'timeout'],
      ['strong', 'ok'],
    ]);
    bench.close();
  });

  test('the reason of a failure comes from the log alone', async () => {
    const bench = await openBench(
      makeRepo({ ...project, 'src/one.test.ts': "test('one', () => {\n  expect(1 + 0).toBe(1);\n});\n" }),
      {
        attempts: [
          {
            task: 'a',
            n: 1,
            do: [{ write: { path: 'a.txt', content: 'x\n' } }, { delete: 'src/one.test.ts' }],
          },
          { task: 'a', n: 2, do: [{ say: 'nothing new' }] },
        ],
      },
    );
    const run = bench.start({ tasks: [task('a', { files: ['a.txt'] }), task('b', { dependsOn: ['a'] })] });
    const state = await bench.drive(run);
    const { folders, engine } = bench.workshop;
    const report = whyOf(run, state, 'a', folders.root, (hash) => engine.artifact(run, hash));
    expect(report.attempts.at(-1)?.said).toBe('nothing new');
    expect(report).toMatchObject({ status: 'escalated', failure: { class: 'implementation-error' } });
    expect(report.attempts.flatMap(({ reasons }) => reasons).join('\n')).toContain(
      'src/one.test.ts was deleted, and with it one test',
    );
    expect(report.attempts.every(({ log }) => existsSync(log))).toBe(true);
    expect(report.next[0]).toMatch(/^joinery questions answer a-2/);
    expect(whyOf(run, state, 'b', '/state').blockedBy).toEqual(['a']);
    bench.close();
  });
});
