import { createHash } from 'node:crypto';
import type { Plan } from '#schema/plan.ts';
import type { Consultation, GateFinding, Price } from '#schema/planning.ts';
import { breaks } from '#schema/verdict.ts';
import type { Consult, Reply } from './answers/consult.ts';
import { readArchitectAnswer } from './architect/answer.ts';
import { architectPrompt } from './architect/prompt.ts';
import { uncoveredSections } from './architect/uncovered.ts';
import { judgeDecomposition, type SizeLimits } from './decompose/gate.ts';
import type { CodeReading } from './decompose/reading.ts';
import { type PastTask, pricePlan } from './price/price.ts';
import { serialised } from './price/serialise.ts';
import type { SpecBundle } from './spec/spec.ts';

/** Everything a plan depends on. Plain data. */
export interface PlanInput {
  readonly spec: SpecBundle;
  /** Prompt of the architect. */
  readonly role: string;
  readonly outline: string;
  readonly guides?: readonly (readonly [path: string, text: string])[];
  readonly limits: SizeLimits;
  /** What a person adds to the spec. */
  readonly context?: string;
}

export interface PlanEffects {
  readonly consult: Consult;
  /** Reads the declared files at the base commit. */
  readCode(declared: readonly string[]): Promise<CodeReading>;
}

/** The result of architect and gate, before pricing. Plain data: it is stored for the next time. */
export type Design =
  | {
      readonly status: 'designed';
      readonly plan: Plan;
      readonly code: CodeReading;
      readonly decomposition: readonly GateFinding[];
      readonly consultations: readonly Consultation[];
    }
  | {
      /** refused: the answer cannot be carried out. inconclusive: there is no usable answer. */
      readonly status: 'refused' | 'inconclusive';
      readonly reason: string;
      readonly problems: readonly string[];
      readonly plan: Plan | null;
      readonly decomposition: readonly GateFinding[];
      readonly consultations: readonly Consultation[];
    };

/** One answer and one repair. */
const mostQuestions = 2;

/** Spec → plan that fits together. Asks the architect once, and once more with the exact errors. */
export async function designPlan(input: PlanInput, { consult, readCode }: PlanEffects): Promise<Design> {
  const consultations: Consultation[] = [];
  let refused: { answer: string; problems: readonly string[] } | null = null;
  for (let n = 1; ; n++) {
    const prompt = architectPrompt({ ...input, refused });
    const reply: Reply = await consult({ role: 'architect', n, prompt, place: 'code', tier: 'strong' });
    consultations.push(reply.consultation);
    if (reply.outcome !== 'ok') return noAnswer(reply, consultations);
    const attempt = await judgeAnswer(reply.text, input, readCode);
    if (attempt.status === 'designed') return { ...attempt, consultations };
    if (n === mostQuestions || attempt.isFinal) {
      const { status, reason, problems, plan, decomposition } = attempt;
      return { status, reason, problems, plan, decomposition, consultations };
    }
    refused = { answer: reply.text, problems: attempt.problems };
  }
}

function noAnswer({ outcome, reason }: Reply, consultations: readonly Consultation[]): Design {
  return {
    status: 'inconclusive',
    reason: `the architect gave no answer: ${outcome}${reason === '' ? '' : `, ${reason}`}`,
    problems: [],
    plan: null,
    decomposition: [],
    consultations,
  };
}

type Attempt =
  | Omit<Extract<Design, { status: 'designed' }>, 'consultations'>
  | (Omit<Exclude<Design, { status: 'designed' }>, 'consultations'> & {
      /** The same architect would answer the same again. */
      readonly isFinal: boolean;
    });

async function judgeAnswer(
  text: string,
  { spec, limits }: PlanInput,
  readCode: PlanEffects['readCode'],
): Promise<Attempt> {
  const answer = readArchitectAnswer(text, spec);
  if (answer.status === 'unusable') {
    const { problems } = answer;
    const reason = 'the answer of the architect cannot be used';
    return { status: 'inconclusive', reason, problems, plan: null, decomposition: [], isFinal: false };
  }
  const { plan } = answer;
  const blocking = (plan.validation ?? []).filter(breaks);
  if (blocking.length > 0) {
    const problems = blocking.map(({ issue, requirement, recommendation }) =>
      [
        issue,
        ...(requirement ? [`spec: ${requirement}`] : []),
        ...(recommendation ? [`write: ${recommendation}`] : []),
      ].join('; '),
    );
    const reason = 'the architect finds that the spec cannot be carried out as it is';
    return { status: 'refused', reason, problems, plan, decomposition: [], isFinal: true };
  }
  const code = await readCode(plan.tasks.flatMap(({ files }) => files));
  const cut = judgeDecomposition(plan, code, limits);
  const failures = cut.findings.filter(({ status }) => status === 'fail').map(({ message }) => message);
  if (failures.length > 0) {
    const reason = 'the work is not cut so that it can be done';
    return {
      status: 'refused',
      reason,
      problems: failures,
      plan,
      decomposition: cut.findings,
      isFinal: false,
    };
  }
  return { status: 'designed', plan: cut.plan, code, decomposition: cut.findings };
}

export interface Finish {
  readonly past: readonly PastTask[];
  /** How many tasks run at a time. */
  readonly width: number;
  /** auto: the architect's choice, unless the price says otherwise. */
  readonly order: 'auto' | 'parallel' | 'serial';
  readonly key: string;
}

export interface Finished {
  readonly plan: Plan;
  readonly price: Price;
  readonly uncovered: readonly string[];
}

/** Chooses parallel or serial work and seals the plan. No agent is asked after this point. */
export function finishPlan(
  { plan, code }: Pick<Extract<Design, { status: 'designed' }>, 'plan' | 'code'>,
  spec: SpecBundle,
  { past, width, order, key }: Finish,
): Finished {
  const price = pricePlan(plan, code, past, width);
  const chosen = chooseApproach(plan, price, order);
  const approached =
    chosen.mode === 'serial' ? serialised(plan, chosen.reason) : { ...plan, approach: chosen };
  return { plan: sealed(approached, key), price, uncovered: uncoveredSections(plan, spec) };
}

function chooseApproach(
  { approach }: Plan,
  { recommendation, why }: Price,
  order: Finish['order'],
): NonNullable<Plan['approach']> {
  if (order !== 'auto') return { mode: order, reason: 'as asked for' };
  if (approach?.mode === 'serial') return { mode: 'serial', reason: `the architect: ${approach.reason}` };
  return { mode: recommendation, reason: why };
}

/** Marks a plan as made by Joinery, so that a later edit by a person is detected. */
export function sealed(plan: Plan, key: string): Plan {
  const { origin: _, ...rest } = plan;
  return { ...rest, origin: { key, sha256: digestOf(rest) } };
}

export function isEdited(plan: Plan): boolean {
  const { origin, ...rest } = plan;
  return origin === undefined || origin.sha256 !== digestOf(rest);
}

function digestOf(plan: Omit<Plan, 'origin'>): string {
  return createHash('sha256').update(canonical(plan)).digest('hex');
}

/** JSON with sorted keys: equal values have equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Hash of everything a plan depends on: the same key, the same plan. */
export function planKey(
  input: PlanInput,
  more: {
    readonly tree: string;
    readonly guardian: { readonly role: string; readonly vision: string } | null;
    /** Agent and model of each role. */
    readonly agents: Readonly<Record<string, string>>;
  },
): string {
  const { sha256 } = architectPrompt({ ...input, refused: null });
  return createHash('sha256')
    .update(canonical(['plan1', sha256, input, more]))
    .digest('hex');
}
