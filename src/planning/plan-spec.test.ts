import { describe, expect, test } from 'vitest';
import type { Question } from './answers/consult.ts';
import { type CodeReading, emptyReading } from './decompose/reading.ts';
import { type Design, designPlan, finishPlan, isEdited, type PlanInput, planKey } from './plan-spec.ts';

const input: PlanInput = {
  spec: {
    path: 'specs/x.md',
    kind: 'feature',
    text: '# X\n\n## Requirements\n\n- SPEC-MARKER `"""` $(touch /tmp/x) `backticks`\n\n## Limits\n\n- 8\n',
    sha256: 'abc',
    linked: [],
  },
  role: 'ROLE-MARKER',
  outline: 'OUTLINE-MARKER',
  limits: { warnLines: 3000, failLines: 6000 },
};

const contract = { coreQuestion: '?', entities: [] };
const task = (id: string, more: object = {}) => ({ id, title: `Task ${id}`, files: [`${id}.ts`], ...more });
const answer = (...tasks: object[]) => ({ tasks, contract });

async function design(answers: unknown[], code: CodeReading = emptyReading) {
  const asked: Question[] = [];
  const made = await designPlan(input, {
    async consult(question) {
      asked.push(question);
      const text = answers[question.n - 1];
      const { role, n, prompt } = question;
      return {
        outcome: text === undefined ? 'crashed' : 'ok',
        reason: '',
        text: typeof text === 'string' ? text : JSON.stringify(text ?? ''),
        consultation: {
          ...{ role, n, agent: 'test', model: null, outcome: 'ok', reason: '', dropped: [] },
          ...{ promptSha256: prompt.sha256, promptBytes: 0, in: 0, out: 0, usd: 0, ms: 0 },
        },
      };
    },
    readCode: async () => code,
  });
  return { made, asked };
}

function finish(
  made: Design,
  order: 'auto' | 'parallel' | 'serial' = 'auto',
  past: { tokens: number; minutes: number }[] = [],
) {
  if (made.status !== 'designed') throw new Error(made.reason);
  return finishPlan(made, input.spec, { past, width: 4, order, key: 'k' });
}

describe('the architect', () => {
  test('gets its role, the exact spec, the code and the form of the answer', async () => {
    const { asked } = await design([answer(task('a'))]);
    expect(asked).toMatchObject([{ role: 'architect', n: 1, place: 'code' }]);
    const text = asked[0]?.prompt.text ?? '';
    for (const part of [
      'ROLE-MARKER',
      'OUTLINE-MARKER',
      '- SPEC-MARKER `"""` $(touch /tmp/x) `backticks`',
      'joinery/contract@1',
    ])
      expect(text).toContain(part);
  });

  test.each([
    ['no JSON', 'I would rather not.', 'no JSON object'],
    ['a task without a title', answer({ id: 'a', files: [] }), 'tasks.0.title'],
    [
      'a misspelt key',
      answer(task('a', { dependOn: [] })),
      'tasks.0.dependOn: unknown key; did you mean "dependsOn"?',
    ],
    [
      'a misspelt key in the contract',
      { ...answer(task('a')), contract: { ...contract, entity: [] } },
      'contract.entity: unknown key',
    ],
    ['a circle', answer(task('a', { dependsOn: ['b'] }), task('b', { dependsOn: ['a'] })), 'a → b → a'],
    ['an unknown dependency', answer(task('a', { dependsOn: ['ghost'] })), 'ghost'],
    ['no contract', { tasks: [task('a'), task('b')] }, 'contract: it is missing'],
    [
      'an entity that no task creates',
      {
        tasks: [task('a')],
        contract: { coreQuestion: '?', entities: [{ name: 'U', type: 'type', createdByTask: 'z' }] },
      },
      'created by task z',
    ],
    [
      'a path out of the repository',
      answer(task('a', { files: ['../../etc/passwd'] })),
      'outside of the repository',
    ],
    [
      'a section the spec does not have',
      answer(task('a', { specRefs: [{ spec: 'x', section: 'Limit' }] })),
      'did you mean "Limits"?',
    ],
    [
      'two tasks with one file',
      answer(task('a', { files: ['x.ts'] }), task('b', { files: ['x.ts'] })),
      'both change x.ts',
    ],
  ])('that answers with %s is asked again once, with the exact error', async (_, bad, error) => {
    const { made, asked } = await design([bad, answer(task('a'))]);
    expect(made.status).toBe('designed');
    expect(asked).toHaveLength(2);
    expect(asked[1]?.prompt.text).toContain(error);
    const again = await design([bad, bad, answer(task('a'))]);
    expect(again.asked).toHaveLength(2);
    expect(again.made.status).not.toBe('designed');
    if (again.made.status !== 'designed') expect(again.made.problems.join()).toContain(error);
  });

  test('that finds the spec insufficient is believed and not asked again', async () => {
    const critical = {
      severity: 'critical',
      issue: 'Which limit?',
      product_requirement: '8 or 10',
      recommendation: 'Say it',
    };
    const { made, asked } = await design([
      { ...answer(task('a')), validation: [critical] },
      answer(task('a')),
    ]);
    expect(asked).toHaveLength(1);
    expect(made).toMatchObject({
      status: 'refused',
      problems: ['Which limit?; spec: 8 or 10; write: Say it'],
    });
  });

  test('that gives no answer gives no plan', async () => {
    expect((await design([])).made).toMatchObject({ status: 'inconclusive', plan: null });
  });

  test('may use the names of other planners', async () => {
    const { made } = await design([
      {
        tasks: [
          {
            id: 1,
            title: 'One',
            description: 'x',
            acceptance_criteria: [{ criterion: 'works', verify_by: 'test' }, 'looks good'],
            depends_on: [],
            agent_model: 'opus',
            files_touched: ['a.ts'],
            spec_references: [{ spec: 'x', section: 'limits' }],
          },
        ],
        contract: {
          core_question: '?',
          entities: [{ name: 'U', type: 'database', table: 'users', created_by_task: 1, key_fields: ['id'] }],
          relationships: [],
          core_queries: [],
        },
        cross_cutting_concerns: ['Log everything'],
        validation: [{ severity: 'warning', issue: 'x' }],
      },
    ]);
    expect(made).toMatchObject({
      status: 'designed',
      plan: {
        tasks: [
          {
            id: '1',
            tier: 'strong',
            files: ['a.ts'],
            acceptance: [
              { text: 'works', verifyBy: 'test' },
              { text: 'looks good', verifyBy: 'manual' },
            ],
          },
        ],
        contract: { schema: 'joinery/contract@1', entities: [{ createdByTask: '1', keyFields: ['id'] }] },
        concerns: ['Log everything'],
        validation: [{ severity: 'important' }],
      },
    });
  });
});

describe('a finished plan', () => {
  const three = answer(task('a'), task('b'), task('c', { specRefs: [{ spec: 'x', section: 'Limits' }] }));

  test('runs in parallel when nothing speaks against it, and prices both ways by a stated prior', async () => {
    const { plan, price, uncovered } = finish((await design([three])).made);
    expect(plan.approach).toMatchObject({ mode: 'parallel' });
    expect(plan.tasks.map(({ dependsOn }) => dependsOn)).toEqual([[], [], []]);
    expect(price).toMatchObject({
      basis: 'prior',
      samples: 0,
      parallel: { tokens: 450_000, minutes: 8, clashProbability: 0 },
      serial: { tokens: 450_000, minutes: 24, clashProbability: 0 },
    });
    expect(uncovered).toEqual(['Requirements']);
  });

  test('is priced by the median of past tasks when there are enough', async () => {
    const past = [1, 2, 3, 4, 1000].map((n) => ({ tokens: n * 1000, minutes: n }));
    const { made } = await design([three]);
    expect(finish(made, 'auto', past).price).toMatchObject({
      basis: 'ledger',
      samples: 5,
      perTask: { tokens: 3000, minutes: 3 },
      serial: { tokens: 9000, minutes: 9 },
    });
    expect(finish(made, 'auto', past.slice(1)).price.basis).toBe('prior');
  });

  test('runs serially when the architect says so, with its reason', async () => {
    const { made } = await design([
      { ...three, approach: { mode: 'serial', reason: 'one file holds it all' } },
    ]);
    const { plan, price } = finish(made);
    expect(plan.tasks.map(({ dependsOn }) => dependsOn)).toEqual([[], ['a'], ['b']]);
    expect(plan.approach).toEqual({ mode: 'serial', reason: 'the architect: one file holds it all' });
    expect(price.parallel.minutes).toBeLessThan(price.serial.minutes);
    expect(finish(made, 'parallel').plan.tasks.map(({ dependsOn }) => dependsOn)).toEqual([[], [], []]);
  });

  test('runs serially when clashes would cost more than parallel work saves', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const files = names.map((name) => `${name}.ts`);
    const together = (count: number): CodeReading => ({
      ...emptyReading,
      existing: Object.fromEntries(files.map((file) => [file, [file]])),
      coChanges: files.flatMap((a, index) =>
        files.slice(index + 1).map((b) => ({ a, b, together: count, atLeast: 9 })),
      ),
    });
    const tasks = answer(...names.map((name) => task(name)));
    const close = finish((await design([tasks], together(9))).made);
    expect(close.price).toMatchObject({
      recommendation: 'serial',
      serial: { minutes: 48, clashProbability: 0 },
    });
    expect(close.price.parallel.minutes).toBeGreaterThan(48);
    expect(close.price.parallel.tokens).toBeGreaterThan(close.price.serial.tokens);
    expect(close.price.parallel.clashProbability).toBeGreaterThan(0.9);
    expect(close.price.pairs[0]?.why).toContain('changed together in 9 of 9 commits');
    expect(close.plan.approach).toMatchObject({ mode: 'serial', reason: expect.stringContaining('clash') });
    const loose = finish((await design([tasks], together(1))).made);
    expect(loose.plan.approach?.mode).toBe('parallel');
    expect(loose.price.parallel.clashProbability).toBeLessThan(close.price.parallel.clashProbability);
  });

  test('counts shared symbols of tasks as a risk, even where a dependency makes them safe', async () => {
    const code = {
      ...emptyReading,
      existing: { 'a.ts': ['a.ts'], 'b.ts': ['b.ts'] },
      uses: [{ from: 'b.ts', to: 'a.ts', names: ['one', 'two'] }],
    };
    const careful = answer(task('a', { changes: ['a.ts#three'] }), task('b'));
    const { price, plan } = finish((await design([careful], code)).made);
    expect(plan.tasks[1]?.dependsOn).toEqual([]);
    expect(price.pairs).toMatchObject([
      { tasks: ['a', 'b'], probability: 0.059, why: expect.stringContaining('a.ts#one') },
    ]);
    const ordered = finish((await design([answer(task('a'), task('b'))], code)).made);
    expect(ordered.plan.tasks[1]?.dependsOn).toEqual(['a']);
    expect(ordered.price).toMatchObject({
      pairs: [],
      recommendation: 'serial',
      why: 'every task waits for the one before',
    });
  });

  test('is sealed, so that a later edit is detected', async () => {
    const { plan } = finish((await design([three])).made);
    expect(isEdited(plan)).toBe(false);
    const [first, ...rest] = plan.tasks;
    expect(
      isEdited({ ...plan, tasks: [{ ...(first as (typeof plan.tasks)[0]), title: 'Another' }, ...rest] }),
    ).toBe(true);
  });
});

test('the key of a plan changes with everything it depends on, and with nothing else', () => {
  const more = { tree: 't', guardian: null, agents: { agent: 'claude', models: '{}' } };
  const key = planKey(input, more);
  expect(planKey(structuredClone(input), { ...more })).toBe(key);
  const others = [
    planKey({ ...input, spec: { ...input.spec, text: `${input.spec.text} ` } }, more),
    planKey({ ...input, spec: { ...input.spec, linked: [{ path: 'p.md', kind: 'prd', text: '' }] } }, more),
    planKey({ ...input, role: 'other' }, more),
    planKey({ ...input, limits: { warnLines: 1, failLines: 2 } }, more),
    planKey(input, { ...more, tree: 'u' }),
    planKey(input, { ...more, guardian: { role: 'g', vision: 'v' } }),
    planKey(input, { ...more, agents: { agent: 'codex', models: '{}' } }),
  ];
  expect(new Set([key, ...others]).size).toBe(8);
});
