import { describe, expect, test } from 'vitest';
import type { Question } from '#planning/answers/consult.ts';
import type { SpecBundle } from '#planning/spec/spec.ts';
import { Plan } from '#schema/plan.ts';
import { verifyPlan } from './verify-plan.ts';

const spec: SpecBundle = {
  path: 'specs/limits.md',
  kind: 'feature',
  text: '# Limits\n\n## Limits\n\nMore than 8 tasks is an error.\n',
  sha256: '',
  linked: [],
};

const plan = Plan.parse({
  schema: 'joinery/plan@1',
  tasks: [{ id: '1', title: 'Limit', description: 'More than 10 tasks is an error.', files: ['a.ts'] }],
});

const covered = { requirement: 'a limit', status: 'covered' };
const tooHigh = { description: 'The limit is 10', spec_reference: 'Limits: 8', plan_gap: 'task 1 says 10' };
const pass = { status: 'pass', core_question_answerable: true, spec_requirements: [covered] };
const fail = (...failures: object[]) => ({ ...pass, status: 'fail', critical_failures: failures });
const lower = { task_id: '1', field: 'description', before: '> 10', after: '> 8', reason: 'the spec says 8' };
const fixes = (...applied: object[]) => ({ fixes_applied: applied, needs_human: [] });
const rightFix = { ...lower, before: 'More than 10', after: 'More than 8' };

/** Plays answers by role in order and repeats the last one. */
async function verify(
  says: { verifier: unknown[]; fixer?: unknown[] },
  options: { mayFix?: boolean; gateFailures?: string[] } = {},
) {
  const asked: Question[] = [];
  const result = await verifyPlan(
    {
      spec,
      plan,
      planFile: 'plan.json',
      roles: { verifier: 'You verify.', fixer: 'You fix.' },
      mayFix: options.mayFix ?? true,
    },
    {
      async consult(question) {
        asked.push(question);
        const answers = says[question.role as 'verifier' | 'fixer'] ?? [];
        const answer = answers[Math.min(question.n, answers.length) - 1];
        return {
          outcome: 'ok',
          reason: '',
          text: typeof answer === 'string' ? answer : JSON.stringify(answer),
          consultation: {
            role: question.role,
            n: question.n,
            agent: 'test',
            model: null,
            outcome: 'ok',
            reason: '',
            promptSha256: question.prompt.sha256,
            promptBytes: 0,
            dropped: [],
            in: 0,
            out: 0,
            usd: 0,
            ms: 0,
          },
        };
      },
      recheck: async (changed) => ({ plan: changed, failures: options.gateFailures ?? [] }),
    },
  );
  return { result, asked, count: (role: string) => asked.filter((each) => each.role === role).length };
}

describe("a verifier's answer", () => {
  const json = JSON.stringify(pass);
  test.each([
    ['bare', json],
    ['fenced', `---\n**Summary**\n\n\`\`\`json\n${json}\n\`\`\`\n`],
    ['in prose', `I looked at everything. ${json} That is my verdict.`],
  ])('%s is understood', async (_, text) => {
    expect((await verify({ verifier: [text] })).result.status).toBe('pass');
  });

  test.each([
    ['garbage', 'I cannot do that.'],
    ['an unknown status', { ...pass, status: 'mostly fine' }],
    ['a status that is no word', { ...pass, status: null }],
    ['fail without a failure', { ...pass, status: 'fail' }],
    ['no requirement at all', { ...pass, spec_requirements: [] }],
    [
      'a requirement of unknown status',
      { ...pass, spec_requirements: [{ requirement: 'x', status: 'ok-ish' }] },
    ],
    ['failures that are no list', { ...pass, critical_failures: 'none' }],
  ])('%s is never a pass', async (_, answer) => {
    const { result, count } = await verify({ verifier: [answer] });
    expect(result.status).toBe('inconclusive');
    expect(result.reason).not.toBe('');
    expect(count('fixer')).toBe(0);
  });

  test.each([
    ['a critical failure', { ...pass, critical_failures: [tooHigh] }],
    [
      'a missing requirement',
      { ...pass, spec_requirements: [covered, { requirement: 'x', status: 'missing' }] },
    ],
    [
      'an issue of the contract',
      { ...pass, contract_issues: [{ type: 'missing_table', description: 'orders' }] },
    ],
    ['a core question without an answer', { ...pass, core_question_answerable: false }],
  ])('that says pass and lists %s is a fail', async (_, answer) => {
    expect((await verify({ verifier: [answer] }, { mayFix: false })).result.status).toBe('fail');
  });
});

describe('the fix loop', () => {
  test('fixes, verifies again and passes', async () => {
    const { result, asked } = await verify({ verifier: [fail(tooHigh), pass], fixer: [fixes(rightFix)] });
    expect(result).toMatchObject({ status: 'pass', needsHuman: [] });
    expect(result.plan.tasks[0]?.description).toBe('More than 8 tasks is an error.');
    expect(result.fixes).toHaveLength(1);
    expect(result.rounds).toMatchObject([
      { n: 0, status: 'fail' },
      { n: 1, status: 'pass', fixed: ['The limit is 10'], remaining: [], new: [] },
    ]);
    expect(asked.map(({ role, n }) => `${role} ${n}`)).toEqual(['verifier 1', 'fixer 1', 'verifier 2']);
  });

  test('two different failures of one part of the spec are two', async () => {
    const first = { description: 'No limit on tasks', spec_reference: 'Requirements' };
    const second = { description: 'Names may be empty', spec_reference: 'Requirements' };
    const again = { ...rightFix, before: 'More than 8', after: 'Names are not empty; more than 8' };
    const { result, count } = await verify({
      verifier: [fail(first), fail(second), pass],
      fixer: [fixes(rightFix), fixes(again)],
    });
    expect(count('fixer')).toBe(2);
    expect(result.rounds[1]).toMatchObject({
      fixed: ['No limit on tasks'],
      remaining: [],
      new: ['Names may be empty'],
    });
  });

  test('what the fixer leaves to a person survives a verifier that passes', async () => {
    const fixer = { ...fixes(rightFix), needs_human: [{ description: 'Which of two formats?' }] };
    const { result } = await verify({ verifier: [fail(tooHigh), pass], fixer: [fixer] });
    expect(result).toMatchObject({ status: 'needs_human', needsHuman: [{ issue: 'Which of two formats?' }] });
  });

  test('stops at once when the same failures remain, whatever their wording', async () => {
    const reworded = { ...tooHigh, description: 'It is still ten, not eight' };
    const { result, count } = await verify({
      verifier: [fail(tooHigh), fail(reworded)],
      fixer: [fixes(rightFix)],
    });
    expect(count('fixer')).toBe(1);
    expect(result.status).toBe('needs_human');
    expect(result.needsHuman).toEqual([
      {
        task: null,
        file: 'plan.json',
        issue: 'It is still ten, not eight',
        specSays: 'Limits: 8',
        planSays: 'task 1 says 10',
        options: [expect.stringContaining('plan.json'), expect.stringContaining('specs/limits.md')],
      },
    ]);
  });

  test('never requests more than three fixes', async () => {
    let n = 0;
    const other = () => fail({ description: `failure ${++n}`, spec_reference: `place ${n}` });
    const numbers = [10, 11, 12, 13].map((value) => ({
      ...lower,
      before: `More than ${value}`,
      after: `More than ${value + 1}`,
    }));
    const { result, count } = await verify({
      verifier: [other(), other(), other(), other(), other()],
      fixer: numbers.map((fix) => fixes(fix)),
    });
    expect(count('fixer')).toBe(3);
    expect(count('verifier')).toBe(4);
    expect(result).toMatchObject({ status: 'fail', reason: '1 failure remains after 3 fixes' });
  });

  test('continues while failures at one place get fewer', async () => {
    const twice = fail(tooHigh, { ...tooHigh, description: 'and so is the other one' });
    const { result, count } = await verify({
      verifier: [twice, fail(tooHigh), pass],
      fixer: [fixes(rightFix), fixes({ ...lower, field: 'title', before: 'Limit', after: 'The limit' })],
    });
    expect(result.status).toBe('pass');
    expect(count('fixer')).toBe(2);
  });

  test('is skipped with --no-fix, and when a person has to decide anyway', async () => {
    const asks = {
      ...pass,
      needs_human: [{ description: 'Two formats', spec_reference: 'a list', plan_gap: 'an object' }],
    };
    for (const [answer, mayFix, status] of [
      [fail(tooHigh), false, 'fail'],
      [asks, true, 'needs_human'],
    ] as const) {
      const { result, count } = await verify({ verifier: [answer], fixer: [fixes(rightFix)] }, { mayFix });
      expect(count('fixer')).toBe(0);
      expect(result.status).toBe(status);
      expect(result.plan).toEqual(plan);
    }
    const { result } = await verify({ verifier: [asks] });
    expect(result.needsHuman).toMatchObject([
      { file: 'plan.json', issue: 'Two formats', specSays: 'a list', planSays: 'an object' },
    ]);
    expect(result.needsHuman[0]?.options.length).toBeGreaterThan(1);
  });

  test('passes on what the fixer does not decide', async () => {
    const question = { task_id: '1', issue: 'Which error?', options: ['Throw', 'Return'] };
    const { result, count } = await verify({
      verifier: [fail(tooHigh)],
      fixer: [{ fixes_applied: [], needs_human: [question] }],
    });
    expect(count('verifier')).toBe(1);
    expect(result).toMatchObject({ status: 'needs_human', fixes: [] });
    expect(result.needsHuman).toMatchObject([
      { task: '1', issue: 'Which error?', options: ['Throw', 'Return'] },
    ]);
  });

  test.each([
    ['a value the plan does not have', fixes(lower)],
    ['a task the plan does not have', fixes({ ...rightFix, task_id: '9' })],
    [
      'a change that leaves no plan behind',
      fixes({ ...lower, field: 'dependsOn', before: [], after: ['9'] }),
    ],
    ['a key that no task has', fixes({ ...lower, field: 'owner', before: null, after: 'me' })],
    ['another id', fixes({ ...lower, field: 'id', before: '1', after: '2' })],
    ['another schema', fixes({ ...lower, task_id: null, field: 'schema', before: null, after: 'x' })],
    ['nothing that can be read', 'I fixed it!'],
  ])('refuses %s', async (_, answer) => {
    const { result, count } = await verify({ verifier: [fail(tooHigh)], fixer: [answer] });
    expect(count('verifier')).toBe(1);
    expect(result).toMatchObject({ status: 'needs_human', fixes: [], plan });
  });

  test('refuses a fix that would spoil the decomposition', async () => {
    const { result } = await verify(
      { verifier: [fail(tooHigh)], fixer: [fixes(rightFix)] },
      { gateFailures: ['tasks 1 and 2 both change a.ts'] },
    );
    expect(result).toMatchObject({ status: 'needs_human', plan });
    expect(result.reason).toContain('both change a.ts');
  });

  test('adds a task together with a dependency on it', async () => {
    const { result } = await verify({
      verifier: [fail(tooHigh), pass],
      fixer: [
        fixes(
          { task: '1', field: 'dependsOn', before: [], after: ['2'], reason: '' },
          { task: '2', field: 'task', before: null, after: { title: 'First', files: ['b.ts'] }, reason: '' },
          {
            task: '2',
            field: 'acceptance.0',
            before: null,
            after: { text: 'x', verifyBy: 'manual' },
            reason: '',
          },
        ),
      ],
    });
    expect(result.status).toBe('pass');
    expect(result.plan.tasks.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ['1', ['2']],
      ['2', []],
    ]);
  });
});

test("the verifier gets spec and plan, but not the architect's reasons", async () => {
  const secretive = Plan.parse({
    ...plan,
    approach: { mode: 'parallel', reason: 'APPROACH' },
    validation: [{ severity: 'info', issue: 'VALIDATION' }],
    tasks: [{ ...plan.tasks[0], rationale: 'RATIONALE', assumptions: ['ASSUMPTION'] }],
    origin: { key: 'KEY', sha256: 'DIGEST' },
  });
  const { verifierPrompt } = await import('./prompts.ts');
  const { text } = verifierPrompt('ROLE', spec, secretive);
  expect(text).toContain('More than 8 tasks');
  expect(text).toContain('More than 10 tasks');
  for (const marker of ['APPROACH', 'VALIDATION', 'RATIONALE', 'ASSUMPTION', 'KEY', 'DIGEST'])
    expect(text).not.toContain(marker);
});
