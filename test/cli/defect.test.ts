import { describe, expect, test } from 'vitest';
import type { DefectReport } from '#schema/defect.ts';
import { openPlanning, type PlanningBench } from '#test/support/planning.ts';

const report = 'specs/defects/adds-wrong.md';
const triage = {
  is_defect: true,
  reported_severity: 'P1',
  complexity: 'trivial',
  root_cause_hypothesis: 'It subtracts.',
  affected_files: ['src/add.mjs'],
  blast_radius: 'low',
};
const wrong = 'export const add = (a, b) => a - b;\n';
const right = 'export const add = (a, b) => a + b;\n';
const testFile = (expected: number) =>
  `import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '../src/add.mjs';\ntest('adds two and one', () => assert.equal(add(2, 1), ${expected}));\n`;

const write = (path: string, content: string) => ({ write: { path, content } });
const reproduces = (content: string, ...more: object[]) => ({
  role: 'reproducer',
  do: [write('test/adds.test.mjs', content), ...more],
});
const repairs = (...actions: object[]) => ({ role: 'repairer', do: actions });

function openDefect(): PlanningBench {
  const bench = openPlanning({
    'AGENTS.md': '# Guide\n\n## Quality Gates\n\n- test: `node --test --test-reporter=tap`\n',
    'src/add.mjs': wrong,
    'src/other.mjs': 'export const other = 1;\n',
    'test/other.test.mjs': "import test from 'node:test';\ntest('is there', () => {});\n",
    [report]:
      '# Adds wrong\n\n## Observed behaviour\n\n2 + 1 is 1.\n\n## Expected behaviour\n\n2 + 1 is 3.\n',
  });
  bench.write('notes.txt', 'mine, and not committed\n');
  return bench;
}

const scripted = (scenario: string) => ['--agent', 'scripted', '--scenario', scenario];

describe('joinery defect', () => {
  test('reproduces the defect with a red test, fixes it and proves it, outside the checkout', async () => {
    const bench = openDefect();
    const before = bench.repo.git('rev-parse', 'HEAD');
    const scenario = bench.scenario({ triager: triage }, [
      reproduces(testFile(3)),
      repairs(
        write('src/add.mjs', right),
        write('src/other.mjs', 'export const other = 2;\n'),
        write('test/adds.test.mjs', '// weakened\n'),
      ),
    ]);
    const { code, report: defect } = await bench.json<DefectReport>('defect', report, ...scripted(scenario));
    expect(defect).toMatchObject({
      status: 'fixed',
      route: 'trivial',
      branch: 'joinery/defect-adds-wrong/fix',
      attempts: [
        { stage: 'reproducing', n: 1, changed: ['test/adds.test.mjs'], problems: [] },
        {
          stage: 'fixing',
          n: 1,
          changed: ['src/add.mjs'],
          reverted: ['src/other.mjs', 'test/adds.test.mjs'],
          problems: [],
        },
      ],
    });
    expect(code).toBe(0);
    expect(defect.proof?.red.tests.join()).toContain('adds two and one');
    expect(defect.proof?.green?.gates).toMatchObject([{ gate: 'test', status: 'pass' }]);
    expect(defect.history.map(({ status }) => status)).toEqual([
      'filed',
      'triaging',
      'triaged',
      'reproducing',
      'reproduced',
      'fixing',
      'fixed',
    ]);
    const at = (path: string) => bench.repo.git('show', `joinery/defect-adds-wrong/fix:${path}`);
    expect(at('src/add.mjs')).toBe(right.trim());
    expect(at('src/other.mjs')).toContain('= 1');
    expect(at('test/adds.test.mjs')).toContain('adds two and one');
    expect(bench.repo.git('rev-parse', 'HEAD')).toBe(before);
    expect(bench.read('src/add.mjs')).toBe(wrong);
    expect(bench.read('notes.txt')).toBe('mine, and not committed\n');
    expect(bench.repo.git('status', '--porcelain')).toBe('?? notes.txt');
    expect(bench.repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    const again = await bench.json<DefectReport>('defect', report, ...scripted(bench.scenario({})));
    expect(again).toMatchObject({
      code: 0,
      report: { status: 'fixed', consultations: defect.consultations },
    });
  });

  test('does not accept a passing test as a reproduction', async () => {
    const bench = openDefect();
    const scenario = bench.scenario({ triager: triage }, [
      reproduces(testFile(1), write('src/add.mjs', right)),
    ]);
    const { code, report: defect } = await bench.json<DefectReport>('defect', report, ...scripted(scenario));
    expect(code).toBe(2);
    expect(defect).toMatchObject({ status: 'escalated', proof: null, branch: null });
    expect(defect.attempts).toHaveLength(2);
    expect(defect.attempts[0]).toMatchObject({
      reverted: ['src/add.mjs'],
      problems: ['the new test passes: it does not show the defect'],
    });
  });

  test('stops if the same fix fails twice', async () => {
    const bench = openDefect();
    const scenario = bench.scenario({ triager: triage }, [
      reproduces(testFile(3)),
      repairs(write('src/add.mjs', 'export const add = (a, b) => a * b;\n')),
    ]);
    const { code, report: defect } = await bench.json<DefectReport>('defect', report, ...scripted(scenario));
    expect(code).toBe(2);
    expect(defect.status).toBe('escalated');
    expect(defect.reason).toContain('still fails');
    expect(defect.attempts.filter(({ stage }) => stage === 'fixing')).toHaveLength(2);
    expect(defect.branch).toBeNull();
  });

  test('waits for a yes if it is not trivial, and does not ask twice', async () => {
    const bench = openDefect();
    const scenario = bench.scenario(
      { triager: { ...triage, affected_files: ['src/add.mjs', 'src/other.mjs'] } },
      [reproduces(testFile(3)), repairs(write('src/add.mjs', right))],
    );
    const waiting = await bench.json<DefectReport>('defect', report, ...scripted(scenario));
    expect(waiting).toMatchObject({ code: 2, report: { status: 'triaged', route: 'moderate' } });
    const done = await bench.json<DefectReport>('defect', report, '--yes', ...scripted(scenario));
    expect(done).toMatchObject({ code: 0, report: { status: 'fixed' } });
    expect(done.report.consultations.filter(({ role }) => role === 'triager')).toHaveLength(1);
  });

  test('rejects what is no defect, drafts a spec for what is too large, leaves open what is not answered', async () => {
    for (const [answer, expected] of [
      [
        { ...triage, is_defect: false, escalation_reason: 'It is meant so.' },
        { status: 'rejected', reason: 'It is meant so.' },
      ],
      [
        { ...triage, blast_radius: 'high' },
        { status: 'escalated', route: 'complex', draft: 'specs/product/adds-wrong.md' },
      ],
      ['No idea.', { status: 'triaging', triage: null }],
    ] as const) {
      const bench = openDefect();
      const scenario = bench.scenario({ triager: answer });
      const { code, report: defect } = await bench.json<DefectReport>(
        'defect',
        report,
        ...scripted(scenario),
      );
      expect(code).toBe(2);
      expect(defect).toMatchObject(expected);
      expect(bench.has('specs/product/adds-wrong.md')).toBe(defect.draft !== null);
    }
  });
});
