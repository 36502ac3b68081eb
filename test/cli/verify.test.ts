import { describe, expect, test } from 'vitest';
import type { VerifyReport } from '#schema/planning.ts';
import { openPlanning, type PlanningBench, verdict } from '#test/support/planning.ts';

const file = 'plan.json';

function withPlan(): PlanningBench {
  const bench = openPlanning();
  bench.write(file, {
    schema: 'joinery/plan@1',
    spec: { path: 'specs/greeting.md' },
    tasks: [{ id: '1', title: 'Greet', description: 'Greet with "Hi, <name>!".', files: ['src/greet.ts'] }],
  });
  return bench;
}

const drifted = verdict({
  status: 'fail',
  core_question_answerable: false,
  core_question_reasoning: 'Nobody is greeted that way.',
  spec_requirements: [
    { requirement: 'Greet strangers', spec_location: 'Requirements', mapped_to_task: '1', status: 'covered' },
    {
      requirement: 'Greet with Hello',
      spec_location: 'Requirements',
      mapped_to_task: '1',
      status: 'drifted',
      spec_says: '"Hello, <name>!"',
      plan_says: '"Hi, <name>!"',
    },
    {
      requirement: 'Tests',
      spec_location: 'Acceptance',
      mapped_to_task: null,
      status: 'partial',
      notes: 'none named',
    },
  ],
  semantic_drift: [{ spec_term: 'Hello', plan_term: 'Hi', risk: 'another greeting' }],
  critical_failures: [
    { description: 'Wrong greeting', spec_reference: 'Requirements: Hello', plan_gap: 'task 1 says Hi' },
  ],
  recommendations: ['Write Hello'],
});

const fix = {
  task_id: '1',
  field: 'description',
  before: 'Hi, <name>!',
  after: 'Hello, <name>!',
  reason: 'the spec',
};
const scripted = (scenario: string) => ['--agent', 'scripted', '--scenario', scenario];

describe('joinery verify', () => {
  test('reports core question, requirements, drift, failures, recommendations and a summary, in this order', async () => {
    const bench = withPlan();
    const before = bench.read(file);
    const agent = scripted(
      bench.scenario({ verifier: `Here:\n\n\`\`\`\n${JSON.stringify(drifted)}\n\`\`\`` }),
    );
    const { code, stdout } = await bench.call('verify', file, '--no-fix', ...agent);
    expect(code).toBe(1);
    expect(stdout).toBe(`Core question: ✗ not answerable
    How is a user greeted?
    Nobody is greeted that way.

Spec requirements: 1 of 3 covered
  ✗ Greet with Hello (drifted)
    Spec says: "Hello, <name>!" | Plan says: "Hi, <name>!" | Task: 1
  ⚠ Tests (partial)
    Spec says: Acceptance | Plan says: none named | Task: none

Semantic drift:
  ⚠ "Hello" → "Hi": another greeting

Critical failures:
  ✗ Wrong greeting
    Spec: Requirements: Hello | Gap: task 1 says Hi

Recommendations:
  → Write Hello

1 critical, 2 warnings, 1 recommendations

Verification FAILED with 3 failures
After fixing, run: joinery verify plan.json
`);
    expect(bench.read(file)).toBe(before);
  });

  test('fixes the plan file, verifies again and says what it changed', async () => {
    const bench = withPlan();
    const agent = scripted(
      bench.scenario({ verifier: [drifted, verdict()], fixer: { fixes_applied: [fix], needs_human: [] } }),
    );
    const { code, stdout } = await bench.call('verify', file, ...agent);
    expect(stdout).toContain('Verification PASSED (1 issue fixed automatically)');
    expect(stdout.replace(/\s+/g, ' ')).toContain('failures 3 → 0 (3 fixed, 0 remaining, 0 new)');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'task 1, description: Hi, <name>! → Hello, <name>! (the spec)',
    );
    expect(code).toBe(0);
    expect(JSON.parse(bench.read(file))).toMatchObject({
      tasks: [{ description: 'Greet with "Hello, <name>!".' }],
    });
  });

  test('stops at once if the same failures remain, and shows a person the file, both readings and options', async () => {
    const bench = withPlan();
    const agent = scripted(
      bench.scenario({ verifier: drifted, fixer: { fixes_applied: [fix], needs_human: [] } }),
    );
    const { code, stdout } = await bench.call('verify', file, ...agent);
    expect(code).toBe(2);
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toContain('needs your judgement');
    expect(words).toContain('Task 1 (plan.json): Issue: Greet with Hello (drifted)');
    expect(words).toContain('Spec says: ""Hello, <name>!"" Plan says: ""Hi, <name>!""');
    expect(words).toContain(
      'Options: 1. Follow the spec: change task 1 in plan.json 2. Keep the plan: change specs/greeting.md',
    );
    const { report } = await bench.json<VerifyReport>('verify', file, ...agent);
    expect(report.consultations.filter(({ role }) => role === 'fixer').length).toBeLessThanOrEqual(1);
  });

  test('is inconclusive without a usable answer', async () => {
    const bench = withPlan();
    const { code, report } = await bench.json<VerifyReport>(
      'verify',
      file,
      ...scripted(bench.scenario({ verifier: 'It looks fine to me.' })),
    );
    expect(code).toBe(2);
    expect(report).toMatchObject({ status: 'inconclusive', findings: null, fixes: [] });
  });

  test('needs to know the spec, and says if it has changed since', async () => {
    const bench = withPlan();
    const agent = scripted(bench.scenario({ verifier: verdict() }));
    bench.write('bare.json', { schema: 'joinery/plan@1', tasks: [{ id: 'a', title: 'A' }] });
    expect(await bench.call('verify', 'bare.json', ...agent)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--spec'),
    });
    expect(await bench.call('verify', 'bare.json', '--spec', 'specs/greeting.md', ...agent)).toMatchObject({
      code: 0,
    });
    const stale = JSON.parse(bench.read(file)) as { spec: object };
    bench.write(file, { ...stale, spec: { ...stale.spec, sha256: 'of another time' } });
    expect(await bench.call('verify', file, ...agent)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('has changed since the plan was made'),
    });
  });
});
