import type { Prompt } from '#agents/prompt/fit-sections.ts';
import type { Consult } from '#planning/answers/consult.ts';
import type { DefectAttempt, DefectReport, DefectStatus } from '#schema/defect.ts';
import type { Consultation } from '#schema/planning.ts';
import { fixPrompt, reproducePrompt } from './prompts.ts';
import type { Scoped, WorkScope } from './scope.ts';
import { advance } from './states.ts';
import { readTriage, routeOf, triagePrompt } from './triage.ts';

/** Plain data. */
export interface DefectInput {
  readonly report: { readonly path: string; readonly text: string };
  readonly roles: { readonly triager: string; readonly reproducer: string; readonly repairer: string };
  /** Test commands of the base commit. */
  readonly testCommands: readonly string[];
  /** A person has approved the triage of a defect that is not trivial. */
  readonly isApproved: boolean;
}

export interface Job {
  readonly role: 'reproducer' | 'repairer' | 'prover';
  readonly n: number;
  readonly prompt: Prompt;
  /** The commit to start from. */
  readonly from: string;
  readonly message: string;
  readonly scope: WorkScope;
  /** Time limit; undefined: that of any attempt. */
  readonly wallMs?: number;
}

/** An agent's work without the changes outside its scope; `commit` is null when nothing is left. */
export interface JobResult extends Scoped {
  readonly outcome: string;
  readonly reason: string;
  readonly commit: string | null;
  readonly consultation: Consultation;
}

export interface Shown {
  /** Tests that fail here but not on the commit it was compared with. */
  readonly newFailures: readonly string[];
  /** Tests that fail on both commits. */
  readonly knownFailures: readonly string[];
  readonly gates: readonly { readonly gate: string; readonly status: string; readonly reason: string }[];
  readonly evidence: readonly string[];
}

export interface DefectEffects {
  readonly consult: Consult;
  work(job: Job): Promise<JobResult>;
  /** Runs gates on a commit and compares their tests with another one. */
  prove(commit: string, comparedWith: string, which: 'tests' | 'all'): Promise<Shown>;
  /** Saves the state, so that the next call continues from here. */
  save(defect: DefectReport): void;
  now(): string;
}

const mostReproductions = 2;
const mostFixes = 3;

/** Triage → red test → fix → proof. Continues from the recorded state. */
export async function resolveDefect(
  defect: DefectReport,
  input: DefectInput,
  effects: DefectEffects,
): Promise<DefectReport> {
  return new Resolving(defect, input, effects).run();
}

class Resolving {
  readonly #input: DefectInput;
  readonly #effects: DefectEffects;
  #defect: DefectReport;

  constructor(defect: DefectReport, input: DefectInput, effects: DefectEffects) {
    this.#defect = defect;
    this.#input = input;
    this.#effects = effects;
  }

  async run(): Promise<DefectReport> {
    if (this.#is('filed')) this.#to('triaging');
    if (this.#is('triaging')) await this.#triage();
    if (this.#is('triaged')) this.#approve();
    if (this.#is('reproducing')) await this.#reproduce();
    if (this.#is('reproduced')) this.#to('fixing');
    if (this.#is('fixing')) await this.#fix();
    return this.#defect;
  }

  #is(status: DefectStatus): boolean {
    return this.#defect.status === status;
  }

  #set(more: Partial<DefectReport>): void {
    this.#defect = { ...this.#defect, ...more, updatedAt: this.#effects.now() };
    this.#effects.save(this.#defect);
  }

  #to(status: DefectStatus, more: Partial<DefectReport> = {}): void {
    this.#defect = { ...advance(this.#defect, status, this.#effects.now()), reason: '', ...more };
    this.#effects.save(this.#defect);
  }

  #heard(consultation: Consultation): Consultation[] {
    return [...this.#defect.consultations, consultation];
  }

  async #triage(): Promise<void> {
    const { report, roles } = this.#input;
    const prompt = triagePrompt(roles.triager, report);
    const reply = await this.#effects.consult({
      role: 'triager',
      n: 1,
      prompt,
      place: 'code',
      tier: 'standard',
    });
    const triage = reply.outcome === 'ok' ? readTriage(reply.text) : null;
    const consultations = this.#heard(reply.consultation);
    // No answer is not a verdict: the triage stays open.
    if (triage === null) {
      const why =
        reply.outcome === 'ok'
          ? 'it cannot be read'
          : [reply.outcome, reply.reason].filter(Boolean).join(', ');
      return this.#set({ consultations, reason: `the triager gave no answer: ${why}` });
    }
    const route = routeOf(triage);
    const more = { triage, route, consultations };
    if (!triage.isDefect)
      return this.#to('rejected', { ...more, reason: triage.escalationReason ?? 'it is not a defect' });
    if (triage.escalationReason !== null)
      return this.#to('escalated', { ...more, reason: triage.escalationReason });
    if (route === 'complex') {
      const reason = 'it is too large to be fixed at once: it needs a spec and a plan';
      return this.#to('escalated', { ...more, reason });
    }
    this.#to('triaged', more);
  }

  /** A defect in one file without dependents is fixed at once; a person reviews anything larger first. */
  #approve(): void {
    if (this.#input.testCommands.length === 0)
      this.#set({ reason: 'the base commit has no test gate, so nothing can be proven' });
    else if (this.#defect.route !== 'trivial' && !this.#input.isApproved)
      this.#set({ reason: 'it is not trivial: look at the triage first' });
    else this.#to('reproducing');
  }

  async #reproduce(): Promise<void> {
    const { report, roles, testCommands } = this.#input;
    const { base, triage, name } = this.#defect;
    if (!triage) return;
    let problems: readonly string[] = [];
    for (let n = 1; n <= mostReproductions; n++) {
      const prompt = reproducePrompt({ role: roles.reproducer, report, triage, problems }, testCommands);
      const message = `test: show the defect ${name}`;
      const done = await this.#effects.work({
        role: 'reproducer',
        n,
        prompt,
        from: base,
        message,
        scope: { kind: 'reproduction' },
      });
      const shown = done.commit === null ? null : await this.#effects.prove(done.commit, base, 'tests');
      // A suite that crashes as a whole does not reproduce the defect: a named test must fail.
      const red = (shown?.newFailures ?? []).filter((test) => !test.startsWith('('));
      problems = reproductionProblems(done, shown, red);
      this.#note('reproducing', n, done, problems);
      if (problems.length === 0 && done.commit !== null) {
        const proof = {
          red: { commit: done.commit, tests: red, evidence: [...(shown?.evidence ?? [])] },
          green: null,
        };
        return this.#to('reproduced', { proof });
      }
    }
    this.#to('escalated', { reason: `it could not be reproduced: ${problems.join('; ')}` });
  }

  async #fix(): Promise<void> {
    const { report, roles } = this.#input;
    const { triage, proof, name } = this.#defect;
    if (!triage || !proof) return;
    const { red } = proof;
    let problems: readonly string[] = [];
    for (let n = 1; n <= mostFixes; n++) {
      const prompt = fixPrompt({ role: roles.repairer, report, triage, problems }, red.tests);
      const done = await this.#effects.work({
        role: 'repairer',
        n,
        prompt,
        from: red.commit,
        message: `fix: ${name}`,
        scope: { kind: 'fix', affected: triage.affectedFiles },
      });
      const shown = done.commit === null ? null : await this.#effects.prove(done.commit, red.commit, 'all');
      const before = problems;
      problems = fixProblems(done, shown, red.tests);
      this.#note('fixing', n, done, problems);
      if (problems.length === 0 && done.commit !== null && shown) {
        const green = { commit: done.commit, gates: [...shown.gates], evidence: [...shown.evidence] };
        return this.#to('fixed', { proof: { red, green } });
      }
      if (before.join('\0') === problems.join('\0')) break;
    }
    this.#to('escalated', { reason: `it could not be fixed: ${problems.join('; ')}` });
  }

  #note(stage: DefectAttempt['stage'], n: number, done: JobResult, problems: readonly string[]): void {
    const attempt: DefectAttempt = {
      stage,
      n,
      outcome: done.outcome,
      changed: [...done.kept],
      reverted: [...done.reverted],
      problems: [...problems],
    };
    this.#set({
      attempts: [...this.#defect.attempts, attempt],
      consultations: this.#heard(done.consultation),
    });
  }
}

function reproductionProblems(
  { outcome, reason, commit, reverted }: JobResult,
  shown: Shown | null,
  red: readonly string[],
): string[] {
  if (outcome !== 'ok') return [`the agent gave up: ${outcome} ${reason}`.trim()];
  if (commit === null)
    return [
      `no new test was written${reverted.length === 0 ? '' : ` (only new tests count, not ${reverted.join(', ')})`}`,
    ];
  if (red.length > 0) return [];
  const broken = shown?.newFailures ?? [];
  return [
    broken.length > 0
      ? `the suite fails as a whole, not in a test: ${broken.join(', ')}`
      : 'the new test passes: it does not show the defect',
  ];
}

function fixProblems(
  { outcome, reason, commit, reverted }: JobResult,
  shown: Shown | null,
  red: readonly string[],
): string[] {
  if (outcome !== 'ok') return [`the agent gave up: ${outcome} ${reason}`.trim()];
  if (commit === null || shown === null)
    return [
      `nothing was changed${reverted.length === 0 ? '' : ` but files out of scope: ${reverted.join(', ')}`}`,
    ];
  const still = red.filter((test) => shown.knownFailures.includes(test) || shown.newFailures.includes(test));
  return [
    ...still.map((test) => `${test} still fails`),
    ...shown.newFailures.filter((test) => !red.includes(test)).map((test) => `${test} fails now`),
    ...shown.gates
      .filter(({ status }) => status === 'fail' || status === 'inconclusive')
      .map(({ gate, status, reason: why }) => `gate ${gate} ${status}: ${why}`),
  ];
}
