import type { Consult } from '#planning/answers/consult.ts';
import type { SpecBundle } from '#planning/spec/spec.ts';
import type { Plan } from '#schema/plan.ts';
import type { Consultation, NeedsHuman, PlanFix, Round, VerifierFindings } from '#schema/planning.ts';
import { readFixerAnswer, readVerifierAnswer } from './answer.ts';
import { applyFixes } from './apply-fixes.ts';
import { deltaOf, type Failure, isSameList, type Judgement, judgeAnswer } from './judge.ts';
import { fixerPrompt, verifierPrompt } from './prompts.ts';

/** Everything a verification depends on. Plain data. */
export interface VerifyInput {
  readonly spec: SpecBundle;
  readonly plan: Plan;
  /** Path of the plan, for people. */
  readonly planFile: string;
  readonly roles: { readonly verifier: string; readonly fixer: string };
  readonly mayFix: boolean;
}

export interface VerifyEffects {
  readonly consult: Consult;
  /** Checks a changed plan against the code: adds missing dependencies and returns what cannot be done that way. */
  recheck(plan: Plan): Promise<{ readonly plan: Plan; readonly failures: readonly string[] }>;
}

/** Plain data that a step records. */
export interface Verification {
  readonly status: 'pass' | 'fail' | 'needs_human' | 'inconclusive';
  readonly reason: string;
  /** The plan with all fixes. */
  readonly plan: Plan;
  readonly findings: VerifierFindings | null;
  readonly rounds: readonly Round[];
  readonly fixes: readonly PlanFix[];
  readonly needsHuman: readonly NeedsHuman[];
  readonly consultations: readonly Consultation[];
}

/** Fixes to try before a person has to look. */
const mostFixes = 3;

/** An agent that did not make the plan compares it with the spec; clear faults are fixed and the plan is verified again. */
export async function verifyPlan(input: VerifyInput, effects: VerifyEffects): Promise<Verification> {
  return new Verifying(input, effects).run();
}

interface Looked extends Judgement {
  readonly findings: VerifierFindings | null;
}

class Verifying {
  readonly #input: VerifyInput;
  readonly #effects: VerifyEffects;
  readonly #consultations: Consultation[] = [];
  readonly #rounds: Round[] = [];
  readonly #fixes: PlanFix[] = [];
  readonly #open: NeedsHuman[] = [];
  #plan: Plan;

  constructor(input: VerifyInput, effects: VerifyEffects) {
    this.#input = input;
    this.#effects = effects;
    this.#plan = input.plan;
  }

  async run(): Promise<Verification> {
    let looked = await this.#look(null, { fixes: [], refused: [] });
    if (looked.status !== 'fail' || !this.#input.mayFix) return this.#end(looked);
    for (let n = 1; n <= mostFixes; n++) {
      const fixed = await this.#fix(n, looked);
      if (typeof fixed === 'string') return this.#giveUp(looked, fixed);
      const before = looked;
      looked = await this.#look(before.failures, fixed);
      if (looked.status !== 'fail') return this.#end(looked);
      if (isSameList(before.failures, looked.failures))
        return this.#giveUp(looked, 'the same failures remain after a fix: the same fix will not work twice');
    }
    const { length } = looked.failures;
    return this.#end({
      ...looked,
      reason: `${length} ${length === 1 ? 'failure remains' : 'failures remain'} after ${mostFixes} fixes`,
    });
  }

  async #look(before: readonly Failure[] | null, made: Pick<Round, 'fixes' | 'refused'>): Promise<Looked> {
    const { roles, spec } = this.#input;
    const n = this.#rounds.length;
    const prompt = verifierPrompt(roles.verifier, spec, this.#plan);
    const reply = await this.#effects.consult({
      role: 'verifier',
      n: n + 1,
      prompt,
      place: 'nowhere',
      tier: 'strong',
    });
    this.#consultations.push(reply.consultation);
    const answer =
      reply.outcome === 'ok'
        ? readVerifierAnswer(reply.text)
        : ({ status: 'unusable', reason: `${reply.outcome} ${reply.reason}`.trim() } as const);
    const judgement = judgeAnswer(answer);
    const { status, failures } = judgement;
    const delta = before === null ? { fixed: [], remaining: [], new: [] } : deltaOf(before, failures);
    this.#rounds.push({
      n,
      status,
      failures: [...failures],
      ...delta,
      fixes: [...made.fixes],
      refused: [...made.refused],
    });
    return { ...judgement, findings: answer.status === 'read' ? answer.findings : null };
  }

  /** What was changed, or why nothing was. */
  async #fix(n: number, { findings }: Looked): Promise<Pick<Round, 'fixes' | 'refused'> | string> {
    if (findings === null) return 'there is nothing to fix';
    const { roles, spec } = this.#input;
    const prompt = fixerPrompt(roles.fixer, spec, this.#plan, findings);
    const reply = await this.#effects.consult({
      role: 'fixer',
      n,
      prompt,
      place: 'nowhere',
      tier: 'standard',
    });
    this.#consultations.push(reply.consultation);
    if (reply.outcome !== 'ok')
      return `the fixer gave no answer: ${[reply.outcome, reply.reason].filter(Boolean).join(', ')}`;
    const answer = readFixerAnswer(reply.text);
    if (answer.status === 'unusable') return `the fixer gave no usable answer: ${answer.reason}`;
    this.#open.push(...answer.needsHuman);
    const { plan, applied, refused } = applyFixes(this.#plan, answer.fixes);
    if (applied.length === 0) return ['no fix could be applied', ...refused, ...answer.unread].join('; ');
    const checked = await this.#effects.recheck(plan);
    if (checked.failures.length > 0) return `the fix would spoil the plan: ${checked.failures.join('; ')}`;
    this.#plan = checked.plan;
    this.#fixes.push(...applied);
    return { fixes: [...applied], refused: [...refused, ...answer.unread] };
  }

  /** A person has to decide: each open point with both readings and the options. */
  #giveUp(looked: Looked, reason: string): Verification {
    const own = this.#open.length > 0 ? [] : questionsFor(looked.findings);
    return this.#end({ ...looked, status: 'needs_human', reason }, own);
  }

  #end({ status, reason, findings }: Looked, more: readonly NeedsHuman[] = []): Verification {
    const open = [...(findings?.needsHuman ?? []), ...this.#open, ...more];
    // A verifier that passes does not know what the fixer left to a person.
    const isLeft = status === 'pass' && open.length > 0;
    return {
      status: isLeft ? 'needs_human' : status,
      reason: isLeft ? 'the fixer left a decision to a person' : reason,
      plan: this.#plan,
      findings,
      rounds: this.#rounds,
      fixes: this.#fixes,
      needsHuman: distinct(open).map((question) => this.#complete(question)),
      consultations: this.#consultations,
    };
  }

  #complete(question: NeedsHuman): NeedsHuman {
    const { planFile, spec } = this.#input;
    const where = question.task === null ? planFile : `task ${question.task} in ${planFile}`;
    return {
      ...question,
      file: question.file || planFile,
      options:
        question.options.length > 0
          ? question.options
          : [`Follow the spec: change ${where}`, `Keep the plan: change ${spec.path}`],
    };
  }
}

function questionsFor(findings: VerifierFindings | null): NeedsHuman[] {
  if (findings === null) return [];
  const { criticalFailures, requirements, contractIssues } = findings;
  return [
    ...criticalFailures.map(({ description, specReference, planGap }) =>
      question({ issue: description, specSays: specReference, planSays: planGap }),
    ),
    ...requirements
      .filter(({ status }) => status === 'missing' || status === 'drifted')
      .map(({ requirement, task, specSays, specLocation, planSays, notes, status }) =>
        question({
          task,
          issue: `${requirement} (${status})`,
          specSays: specSays || specLocation,
          planSays: planSays || notes || (status === 'missing' ? 'nothing' : ''),
        }),
      ),
    ...contractIssues.map(({ description }) =>
      question({ issue: description, planSays: 'see its contract' }),
    ),
  ];
}

function question(known: Partial<NeedsHuman> & Pick<NeedsHuman, 'issue'>): NeedsHuman {
  return { task: null, file: '', specSays: '', planSays: '', options: [], ...known };
}

function distinct(questions: readonly NeedsHuman[]): NeedsHuman[] {
  return questions.filter(
    ({ issue, task }, index) =>
      questions.findIndex((each) => each.issue === issue && each.task === task) === index,
  );
}
