import { CheckerFailure } from './containment.ts';
import type { ResultStore } from './result-store.ts';

/**
 * The answer of a checker, cached from this check or an earlier one; otherwise it is run. A timeout
 * is cached as well: the checker runs again only with a higher limit.
 */
export async function askOnce<Answer>(
  store: ResultStore,
  question: readonly unknown[],
  timeLimitMs: number,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const known = store.read(question);
  if (known !== undefined) return known as Answer;
  const timedOut = ['timeout', ...question];
  const waited = store.read(timedOut) as { limitMs?: number; isCutOff?: boolean } | undefined;
  if ((waited?.limitMs ?? 0) >= timeLimitMs) {
    const { kind, message } = CheckerFailure.timeout(timeLimitMs);
    throw new CheckerFailure(kind, message, waited?.isCutOff);
  }
  try {
    const answer = await ask();
    store.write(question, answer);
    return answer;
  } catch (error) {
    if (error instanceof CheckerFailure && error.kind === 'timeout')
      store.write(timedOut, { limitMs: timeLimitMs, isCutOff: error.isCutOff });
    throw error;
  }
}
