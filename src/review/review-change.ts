import type { ReviewerReport, ReviewReport } from '#schema/review.ts';
import type { RawFinding, Triage } from '#schema/triage.ts';
import { isObjection } from '#schema/triage.ts';
import { sortFindings } from './ask/assessor.ts';
import { type Audited, auditAfter, auditorOf, auditReport } from './ask/auditor.ts';
import { answered, askReviewers, askSeat, type Returned, rebut } from './ask/reviewers.ts';
import { judgeConsensus } from './consensus/consensus.ts';
import { judgeCriteria } from './findings/criteria.ts';
import { mergeFindings } from './findings/merge-findings.ts';
import type { ReviewSubject } from './prompt/review-prompts.ts';
import { openFindings, withProof } from './proof/with-proof.ts';
import type { Cost, Proofs, ReviewEffects, Reviewed, ReviewInput } from './review.ts';

/** Reviewers, triage, proof, consensus. The deterministic checks have passed before. */
export async function reviewChange(input: ReviewInput, effects: ReviewEffects): Promise<Reviewed> {
  const { subject, seats } = input;
  const cost: ReviewReport['cost'] = [];
  let answers = await askReviewers(input, effects, 1, cost);
  if (answered(answers).length === 0) {
    effects.log('no reviewer answered: asking the first one again');
    const [first] = seats;
    const again = first ? await askSeat(input, effects, first, 2, cost) : null;
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
  const guards = [...sorted.guards, ...unanswered(answers)];
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

function judgesOf(answers: readonly Returned[]) {
  return answered(answers).map(({ seat }) => ({ name: seat.name, family: seat.family }));
}

function proofsFor(
  effects: ReviewEffects,
  findings: readonly RawFinding[],
  triage: Triage,
): Promise<Proofs> | null {
  const blocking = findings.filter(isObjection);
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

/** Who was asked to judge and did not has not approved. A review that was to have several views has fewer. */
function unanswered(answers: readonly Returned[]): string[] {
  return answers.flatMap(({ seat, status, answer, reason }) =>
    answer === null
      ? [`${seat.name} was asked and did not answer (${status}${reason === '' ? '' : `: ${reason}`})`]
      : [],
  );
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
