import { expect, test } from 'vitest';
import { Plan } from '#schema/plan.ts';
import type { Reply } from './answers/consult.ts';
import { emptyReading } from './decompose/reading.ts';
import { guard } from './guardian/guardian.ts';
import { designPlan, finishPlan, type PlanInput } from './plan-spec.ts';
import { type VerifyInput, verifyPlan } from './verify/verify-plan.ts';

/** The value as a journal stores it. */
const kept = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/**
 * A journal of an interrupted run: effects are recorded by name, as a journal stores them. On replay a recorded effect does not run again.
 */
class Journal {
  readonly #steps = new Map<string, string>();
  done = 0;

  async step<T>(name: string, effect: () => Promise<T> | T): Promise<T> {
    const recorded = this.#steps.get(name);
    if (recorded !== undefined) return JSON.parse(recorded) as T;
    this.done++;
    const result = await effect();
    this.#steps.set(name, JSON.stringify(result));
    return kept(result);
  }
}

const spec = {
  path: 'specs/x.md',
  kind: 'feature',
  text: '# X\n\n## Requirements\n\n- 8\n',
  sha256: '',
  linked: [],
} as const;

function reply(role: string, n: number, answer: object): Reply {
  const facts = {
    agent: 'test',
    model: null,
    outcome: 'ok',
    reason: '',
    promptSha256: '',
    promptBytes: 0,
    dropped: [],
  };
  return {
    outcome: 'ok',
    reason: '',
    text: JSON.stringify(answer),
    consultation: { role, n, ...facts, in: 1, out: 1, usd: 0, ms: 1 },
  };
}

const answers: Record<string, object[]> = {
  architect: [{ tasks: [] }, { tasks: [{ id: 'a', title: 'A', description: '10', files: ['a.ts'] }] }],
  guardian: [{ status: 'aligned' }],
  verifier: [
    { status: 'fail', spec_requirements: [{ requirement: '8', status: 'drifted' }] },
    { status: 'pass', spec_requirements: [{ requirement: '8', status: 'covered' }] },
  ],
  fixer: [{ fixes: [{ task: 'a', field: 'description', before: '10', after: '8', reason: '' }] }],
};

async function plan(journal: Journal) {
  const consult: Parameters<typeof guard>[1] = ({ role, n }) =>
    journal.step(`${role}/${n}`, () => reply(role, n, answers[role]?.[n - 1] ?? {}));
  const document = { path: spec.path, text: spec.text };
  const guarded = await guard(kept({ role: 'r', vision: { path: 'v.md', text: 'v' }, document }), consult);
  const input: PlanInput = kept({
    spec,
    role: 'r',
    outline: '',
    limits: { warnLines: 3000, failLines: 6000 },
  });
  const design = await designPlan(input, {
    consult,
    readCode: (declared) => journal.step(`code/${declared.join()}`, () => emptyReading),
  });
  if (design.status !== 'designed') throw new Error(design.reason);
  const finished = finishPlan(kept(design), kept(spec), { past: [], width: 4, order: 'auto', key: 'k' });
  const verify: VerifyInput = kept({
    spec,
    plan: Plan.parse(finished.plan),
    planFile: 'x.plan.json',
    roles: { verifier: 'v', fixer: 'f' },
    mayFix: true,
  });
  const verified = await verifyPlan(verify, {
    consult,
    recheck: (changed) => journal.step('recheck/1', () => ({ plan: changed, failures: [] })),
  });
  return { guarded, design, finished, verified };
}

test('planning is a function of recorded steps: a replay gives the same plan and starts no agent', async () => {
  const journal = new Journal();
  const first = await plan(journal);
  expect(first.verified).toMatchObject({ status: 'pass', fixes: [{ after: '8' }] });
  expect(journal.done).toBe(8);
  expect(await plan(journal)).toEqual(first);
  expect(journal.done).toBe(8);
});

test('every step takes and returns plain data', async () => {
  const result = await plan(new Journal());
  expect(kept(result)).toEqual(result);
});
