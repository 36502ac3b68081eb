import { findJson, isObject } from '#agents/stream/find-json.ts';
import { rebuttalPrompt, reviewerPrompt } from '#review/prompt/review-prompts.ts';
import type { Answer, Cost, ReviewEffects, ReviewInput, Seat } from '#review/review.ts';
import { ReviewerAnswer, type ReviewerReport } from '#schema/review.ts';
import type { RawFinding } from '#schema/triage.ts';
import { isObjection } from '#schema/triage.ts';
import { breaks } from '#schema/verdict.ts';

/** A reviewer with its answer, or why there is none. */
export interface Returned {
  readonly seat: Seat;
  readonly status: ReviewerReport['status'];
  readonly reason: string;
  readonly answer: ReviewerAnswer | null;
}

export function answered(answers: readonly Returned[]): (Returned & { answer: ReviewerAnswer })[] {
  return answers.filter((each): each is Returned & { answer: ReviewerAnswer } => each.answer !== null);
}

export function askReviewers(
  input: ReviewInput,
  effects: ReviewEffects,
  round: number,
  cost: Cost,
): Promise<Returned[]> {
  return inOrder(input.seats, cost, (seat, own) => askSeat(input, effects, seat, round, own));
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

export async function askSeat(
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

export function readAnswer({ outcome, reason, text }: Answer): Omit<Returned, 'seat'> {
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

/** Exactly one round. A reviewer that does not answer again keeps its first answer. */
export async function rebut(
  input: ReviewInput,
  effects: ReviewEffects,
  answers: readonly Returned[],
  findings: readonly RawFinding[],
  cost: Cost,
): Promise<Returned[]> {
  const disputed = findings.filter(isObjection);
  return inOrder(answers, cost, async (known, own) => {
    if (known.answer === null) return known;
    const { seat } = known;
    const prompt = rebuttalPrompt(input.subject, input.roles.reviewer, seat.name, disputed);
    const next = await askSeat(input, effects, seat, 3, own, prompt);
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
      severity: breaks(finding) ? ('important' as const) : finding.severity,
    }));
}
