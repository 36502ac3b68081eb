import type { Prompt } from '#agents/prompt/fit-sections.ts';
import { findJson, isObject } from '#agents/stream/find-json.ts';
import type { Consultation } from '#schema/planning.ts';
import { ReviewerAnswer, type ReviewerReport, type ReviewReport } from '#schema/review.ts';
import type { RawFinding, Triage, TriageReport, Verification } from '#schema/triage.ts';
import { type AuditRoute, auditRouteFor } from './audit/audit-route.ts';
import { judgeConsensus } from './consensus/consensus.ts';
import { judgeCriteria } from './findings/criteria.ts';
import { mergeFindings } from './findings/merge-findings.ts';
import {
  assessorPrompt,
  auditorPrompt,
  type ReviewSubject,
  rebuttalPrompt,
  reviewerPrompt,
} from './prompt/review-prompts.ts';
import { openFindings, withProof } from './proof/with-proof.ts';
import { validateTriage } from './triage/validate-triage.ts';

export interface Seat {
  readonly name: string;
  readonly agent: string;
  readonly model: string | null;
  readonly family: string;
}

export interface Answer {
  /** `ok`, `timeout`, or another outcome of the agent. */
  readonly outcome: string;
  readonly reason: string;
  readonly text: string;
  readonly consultation: Consultation;
}

export interface Proofs {
  readonly results: ReadonlyMap<string, Verification>;
  readonly redTests: ReviewReport['redTests'];
  readonly consultations: readonly Consultation[];
}

/** The side effects of a review. Everything else is decided here, from values. */
export interface ReviewEffects {
  askReviewer(seat: Seat, round: number, prompt: Prompt): Promise<Answer>;
  askAssessor(n: number, prompt: Prompt): Promise<Answer>;
  /** Null: no audit after objections. */
  readonly askAuditor: ((route: AuditRoute, prompt: Prompt) => Promise<Answer>) | null;
  /** Proves blocking findings by tests; null: the project has no tests to run. */
  readonly prove: ((findings: readonly RawFinding[]) => Promise<Proofs>) | null;
  log(line: string): void;
}

export interface ReviewInput {
  readonly subject: ReviewSubject;
  readonly roles: {
    readonly reviewer: string;
    readonly assessor: string;
    readonly auditors: Readonly<Record<AuditRoute, string>>;
  };
  readonly seats: readonly Seat[];
  readonly mayRebut: boolean;
  /** The command that tries again. */
  readonly resume: string;
}

export type Reviewed = Omit<
  ReviewReport,
  'schema' | 'base' | 'branch' | 'checks' | 'order' | 'taskType' | 'mutants'
>;

/** Reviewers, triage, proof, consensus. The deterministic checks have passed before. */
export async function reviewChange(input: ReviewInput, effects: ReviewEffects): Promise<Reviewed> {
  const { subject, seats } = input;
  const cost: ReviewReport['cost'] = [];
  let answers = await askAll(input, effects, 1, cost);
  if (answered(answers).length === 0) {
    effects.log('no reviewer answered: asking the first one again');
    const [first] = seats;
    const again = first ? await askOne(input, effects, first, 2, cost) : null;
    answers = again ? [again, ...answers.slice(1)] : answers;
  }
  if (answered(answers).length === 0)
    return halted(input, answers, cost, 'reviewers', 'no reviewer returned');
  let state = conclude(input, answers);
  let rebuttals = 0;
  if (input.mayRebut && state.consensus.verdict === 'split') {
    rebuttals = 1;
    answers = await rebut(input, effects, answers, state.findings, cost);
    state = conclude(input, answers);
  }
  const audit = await auditAfter(input, effects, state.findings, cost);
  if (audit) state = conclude(input, answers, audit);
  const sorted = await sortFindings(input, effects, state.findings, cost);
  if (sorted.triage === null || sorted.status === 'invalid')
    return {
      ...halted(input, answers, cost, 'triage', `the triage is not valid: ${sorted.errors.join('; ')}`),
      ...state,
      rebuttals,
      audit: auditReport(audit),
    };
  const proofs = await proofsFor(effects, state.findings, sorted.triage);
  cost.push(...(proofs?.consultations ?? []).map((each) => ({ ...each, reviewer: null })));
  const triage = withProof(state.findings, sorted.triage, proofs?.results ?? new Map());
  const settled = settledBy(triage);
  const consensus = consensusOf(answers, state, settled);
  const guards = sorted.guards;
  const open = openFindings(state.findings, triage);
  const verdict = verdictOf(triage, open, consensus, guards, state.criteria);
  return {
    ...verdict,
    stoppedAt: 'nowhere',
    reviewers: reportsOf(answers, state.findings),
    findings: state.findings,
    triage: { ...triage, consensus },
    guards,
    consensus,
    rebuttals,
    audit: auditReport(audit),
    criteria: state.criteria,
    scopeCreep: scopeCreepOf(answers, subject),
    redTests: [...(proofs?.redTests ?? [])],
    cost,
    resume: verdict.verdict === 'uncertain' || consensus.verdict === 'split' ? input.resume : null,
  };
}

interface Returned {
  readonly seat: Seat;
  readonly status: ReviewerReport['status'];
  readonly reason: string;
  readonly answer: ReviewerAnswer | null;
}

type Cost = ReviewReport['cost'];

function answered(answers: readonly Returned[]): (Returned & { answer: ReviewerAnswer })[] {
  return answers.filter((each): each is Returned & { answer: ReviewerAnswer } => each.answer !== null);
}

function askAll(input: ReviewInput, effects: ReviewEffects, round: number, cost: Cost): Promise<Returned[]> {
  return inOrder(input.seats, cost, (seat, own) => askOne(input, effects, seat, round, own));
}

/** All at once; costs are listed in a fixed order, whichever answer came first. */
async function inOrder<T, R>(
  list: readonly T[],
  cost: Cost,
  ask: (each: T, own: Cost) => Promise<R>,
): Promise<R[]> {
  const asked = await Promise.all(
    list.map(async (each) => {
      const own: Cost = [];
      return { answer: await ask(each, own), own };
    }),
  );
  cost.push(...asked.flatMap(({ own }) => own));
  return asked.map(({ answer }) => answer);
}

async function askOne(
  { subject, roles }: ReviewInput,
  effects: ReviewEffects,
  seat: Seat,
  round: number,
  cost: Cost,
  prompt = reviewerPrompt(subject, roles.reviewer, seat.name),
): Promise<Returned> {
  const reply = await effects.askReviewer(seat, round, prompt);
  cost.push({ ...reply.consultation, reviewer: seat.name });
  const { status, answer, reason } = readAnswer(reply);
  if (answer === null)
    effects.log(`reviewer ${seat.name}${status === 'unusable' ? '' : ' is absent'}: ${reason}`);
  return { seat, status, reason, answer };
}

function readAnswer({ outcome, reason, text }: Answer): Omit<Returned, 'seat'> {
  if (outcome !== 'ok')
    return {
      status: outcome === 'timeout' ? 'late' : 'failed',
      reason: `${outcome} ${reason}`.trim(),
      answer: null,
    };
  const parsed = ReviewerAnswer.safeParse(findJson(text, (value) => isObject(value) && 'findings' in value));
  if (parsed.success) return { status: 'answered', reason: '', answer: parsed.data };
  const [issue] = parsed.error.issues;
  const problem = `its answer cannot be used: ${issue?.path.join('.') || 'answer'}: ${issue?.message}`;
  return { status: 'unusable', reason: problem, answer: null };
}

function conclude({ subject }: ReviewInput, answers: readonly Returned[], audit: Audited | null = null) {
  const given = answered(answers).map(({ seat, answer }) => ({ reviewer: seat.name, answer }));
  const claims = [
    ...given.map(({ reviewer, answer }) => ({ reviewer, findings: answer.findings })),
    ...(audit?.answer ? [{ reviewer: auditorOf(audit.route), findings: audit.answer.findings }] : []),
  ];
  const findings = mergeFindings(claims, subject.files);
  const paths = new Set(subject.files.flatMap(({ path, after }) => (after === null ? [] : [path])));
  const criteria = judgeCriteria(subject.criteria, given, (path) => paths.has(path));
  const consensus = consensusOf(answers, { findings, criteria }, () => null);
  return { findings, criteria, consensus };
}

/** Reviewers were not asked about findings of the auditor, so they do not disagree about them. */
function consensusOf(
  answers: readonly Returned[],
  { findings, criteria }: Pick<ReviewReport, 'findings' | 'criteria'>,
  settledBy: (finding: RawFinding) => string | null,
): ReviewReport['consensus'] {
  const judges = judgesOf(answers);
  const asked = findings.filter(({ reviewers }) => judges.some(({ name }) => reviewers.includes(name)));
  return judgeConsensus(judges, asked, criteria, settledBy);
}

interface Audited {
  readonly route: AuditRoute;
  readonly answer: ReviewerAnswer | null;
  readonly reason: string;
}

function auditorOf(route: AuditRoute): string {
  return `${route}-audit`;
}

function auditReport(audit: Audited | null): ReviewReport['audit'] {
  if (!audit) return null;
  const { route, answer, reason } = audit;
  return { route, status: answer ? 'answered' : 'absent', reason, findings: answer?.findings.length ?? 0 };
}

/** If reviewers object, an auditor looks at the whole change. Its findings are verified and triaged like all others. */
async function auditAfter(
  { subject, roles }: ReviewInput,
  effects: ReviewEffects,
  findings: readonly RawFinding[],
  cost: Cost,
): Promise<Audited | null> {
  const route = auditRouteFor(findings);
  if (effects.askAuditor === null || route === null) return null;
  const objections = findings.filter(({ severity }) => severity === 'blocking');
  const reply = await effects.askAuditor(route, auditorPrompt(subject, roles.auditors[route], objections));
  cost.push({ ...reply.consultation, reviewer: auditorOf(route) });
  const { answer, reason } = readAnswer(reply);
  if (!answer) effects.log(`the ${route} audit has no answer: ${reason}`);
  return { route, answer, reason };
}

function judgesOf(answers: readonly Returned[]) {
  return answered(answers).map(({ seat }) => ({ name: seat.name, family: seat.family }));
}

/** Exactly one round. A reviewer that does not answer again keeps its first answer. */
async function rebut(
  input: ReviewInput,
  effects: ReviewEffects,
  answers: readonly Returned[],
  findings: readonly RawFinding[],
  cost: Cost,
): Promise<Returned[]> {
  const disputed = findings.filter(
    ({ severity, unverified }) => severity === 'blocking' && unverified === null,
  );
  return inOrder(answers, cost, async (known, own) => {
    if (known.answer === null) return known;
    const { seat } = known;
    const prompt = rebuttalPrompt(input.subject, input.roles.reviewer, seat.name, disputed);
    const next = await askOne(input, effects, seat, 3, own, prompt);
    if (next.answer === null) return known;
    // A finding of the first round is never lost: the triage sees who dropped it in the second.
    return {
      ...next,
      answer: {
        ...next.answer,
        findings: [...next.answer.findings, ...dropped(known.answer, next.answer)],
      },
    };
  });
}

/** Findings of the first answer that are missing from the second: kept, but this reviewer's no longer block. */
function dropped(first: ReviewerAnswer, second: ReviewerAnswer): ReviewerAnswer['findings'] {
  const key = ({ file, line, symbol }: ReviewerAnswer['findings'][number]) =>
    JSON.stringify([file, symbol ?? line]);
  const kept = new Set(second.findings.map(key));
  return first.findings
    .filter((finding) => !kept.has(key(finding)))
    .map((finding) => ({
      ...finding,
      severity: finding.severity === 'blocking' ? ('important' as const) : finding.severity,
    }));
}

/** Without findings no model is asked. An invalid answer is sent back once, with its errors. */
async function sortFindings(
  { subject, roles }: ReviewInput,
  effects: ReviewEffects,
  findings: readonly RawFinding[],
  cost: Cost,
): Promise<TriageReport> {
  const files = subject.files.flatMap(({ path, oldPath }) => [path, oldPath]);
  const validate = (triage: unknown) => validateTriage({ raw: findings, files, triage });
  if (findings.length === 0) return validate({ accepted: [], deferred: [], rejected: [], approved: true });
  let report = validate(undefined);
  for (let n = 1; n <= 2 && report.status === 'invalid'; n++) {
    const errors = n === 1 ? [] : report.errors;
    const reply = await effects.askAssessor(n, assessorPrompt(subject, roles.assessor, findings, errors));
    cost.push({ ...reply.consultation, reviewer: null });
    report = validate(findJson(reply.text, (value) => isObject(value) && 'accepted' in value));
    if (report.status === 'invalid') effects.log(`the triage is not valid: ${report.errors.join('; ')}`);
  }
  return report;
}

function proofsFor(
  effects: ReviewEffects,
  findings: readonly RawFinding[],
  triage: Triage,
): Promise<Proofs> | null {
  const blocking = findings.filter(
    ({ severity, unverified }) => severity === 'blocking' && unverified === null,
  );
  // Deferred findings come last: the number of tests is limited, and a test may show that one cannot wait.
  const wanted = [triage.accepted, triage.deferred].flatMap((entries) =>
    blocking.filter(({ id }) => entries.some((entry) => entry.id === id)),
  );
  return effects.prove && wanted.length > 0 ? effects.prove(wanted) : null;
}

/** Only a test settles a disagreement; an opinion does not. */
function settledBy(triage: Triage): (finding: RawFinding) => string | null {
  const all = [...triage.accepted, ...triage.deferred];
  return ({ id }) => {
    const result = all.find((each) => each.id === id)?.verification?.result;
    return result === 'confirmed' || result === 'not_reproduced' ? `test: ${result}` : null;
  };
}

function verdictOf(
  triage: Triage,
  open: readonly RawFinding[],
  { verdict, reason }: ReviewReport['consensus'],
  guards: readonly string[],
  criteria: ReviewReport['criteria'],
): Pick<ReviewReport, 'verdict' | 'reason'> {
  if (guards.length > 0) return { verdict: 'uncertain', reason: guards.join('; ') };
  if (!triage.approved) return { verdict: 'revise', reason: 'accepted findings block' };
  if (verdict === 'split') return { verdict: 'uncertain', reason };
  if (open.length > 0) {
    const ids = open.map(({ id }) => id).join(', ');
    return { verdict: 'uncertain', reason: `${ids} would block but is only deferred: no test disproves it` };
  }
  const missing = criteria.filter(({ status }) => status === 'missing');
  if (missing.length > 0)
    return { verdict: 'revise', reason: `not done: ${missing.map(({ text }) => text).join('; ')}` };
  return { verdict: 'approve', reason: verdict === 'agreed' ? reason : `unverified: ${reason}` };
}

function halted(
  input: ReviewInput,
  answers: readonly Returned[],
  cost: Cost,
  stoppedAt: 'reviewers' | 'triage',
  reason: string,
): Reviewed {
  return {
    verdict: 'uncertain',
    reason,
    stoppedAt,
    reviewers: reportsOf(answers, []),
    findings: [],
    triage: null,
    guards: [],
    consensus: judgeConsensus(judgesOf(answers), [], [], () => null),
    rebuttals: 0,
    audit: null,
    criteria: [],
    scopeCreep: scopeCreepOf(answers, input.subject),
    redTests: [],
    cost,
    resume: input.resume,
  };
}

function reportsOf(answers: readonly Returned[], findings: readonly RawFinding[]): ReviewerReport[] {
  return answers.map(({ seat, status, reason, answer }) => ({
    ...seat,
    status,
    reason,
    findings: answer?.findings.length ?? 0,
    alone: findings.filter(({ reviewers }) => reviewers.join() === seat.name).map(({ id }) => id),
  }));
}

/** Only files of the change count as scope creep. */
function scopeCreepOf(answers: readonly Returned[], { files }: ReviewSubject): ReviewReport['scopeCreep'] {
  const paths = new Set(files.map(({ path }) => path));
  const said = answered(answers).flatMap(({ seat, answer }) =>
    answer.scopeCreep.filter(({ file }) => paths.has(file)).map((each) => ({ ...each, reviewer: seat.name })),
  );
  return [...Map.groupBy(said, ({ file }) => file)].map(([file, some]) => ({
    file,
    why: some[0]?.why ?? '',
    reviewers: [...new Set(some.map(({ reviewer }) => reviewer))],
  }));
}
