import type { AttemptState } from '#crew/state/state.ts';
import type { LoopPolicy } from '#schema/run.ts';
import { breaks } from '#schema/verdict.ts';

export type LoopMove =
  | { readonly move: 'accept' }
  | { readonly move: 'again'; readonly reason: string }
  | { readonly move: 'escalate' | 'fail'; readonly reason: string };

/** What happens after the last attempt. */
export function nextMove(policy: LoopPolicy, attempts: readonly AttemptState[]): LoopMove {
  const last = attempts.at(-1);
  if (!last) return { move: 'again', reason: 'not tried yet' };
  const blocking = last.findings.filter(breaks);
  if (last.verdict === 'approve' && blocking.length === 0) return { move: 'accept' };
  const reason = blocking.map((finding) => finding.message).join('; ') || `the verdict is ${last.verdict}`;
  if (last.verdict === 'reject' || last.verdict === 'uncertain') return { move: 'escalate', reason };
  const before = attempts.at(-2);
  // The same problem with a smaller model does not count as a repetition.
  if (before && before.tier === last.tier && fingerprints(before) === fingerprints(last)) {
    return stop(policy.onNoProgress, last, `${reason} (same problem twice in a row)`);
  }
  if (attempts.length >= policy.max)
    return stop(policy.onExhausted, last, `${reason} (${attempts.length} attempts)`);
  return { move: 'again', reason };
}

/** If no attempt ended by itself there is nothing for a person to judge: the task failed. */
function stop(wanted: 'escalate' | 'fail', last: AttemptState, reason: string): LoopMove {
  return { move: last.outcome === 'ok' ? wanted : 'fail', reason };
}

function fingerprints(attempt: AttemptState): string {
  return attempt.findings
    .filter(breaks)
    .map((finding) => finding.fingerprint)
    .toSorted()
    .join('\0');
}

/** Whether accepted work may be reworked again for a waiting task: within the limit, and never twice for the same problem. */
export function mayRework(
  policy: LoopPolicy,
  reworks: number,
  before: readonly string[],
  now: readonly string[],
): boolean {
  return reworks < policy.max && !now.every((cause) => before.includes(cause));
}
