/** A request is sent at most this many times. */
const mostTries = 4;
/** If a forge asks for a longer wait, give up: a job that waits costs more than one that fails with the reason. */
const longestWaitMs = 60_000;
const firstWaitMs = 500;

export interface Refusal {
  /** null: no answer at all. */
  readonly status: number | null;
  readonly headers: Pick<Headers, 'get'>;
  /** Whether it is safe to send twice: a request that creates something is not, unless it was refused unread. */
  readonly isRepeatable: boolean;
  /** How many times it was sent. */
  readonly tries: number;
  readonly nowMs: number;
}

/** How long to wait before the next try; null: give up. */
export function waitBeforeRetry(refusal: Refusal): number | null {
  const { status, headers, isRepeatable, tries, nowMs } = refusal;
  const isLimited = isRateLimited(status, headers);
  const isBroken = status === null || status === 500 || status === 502 || status === 503 || status === 504;
  if (tries >= mostTries || !(isLimited || (isBroken && isRepeatable))) return null;
  const wished = wishedWait(headers, nowMs) ?? firstWaitMs * 2 ** (tries - 1);
  return wished > longestWaitMs ? null : Math.max(0, wished);
}

/** GitHub answers 403 or 429, GitLab 429. */
export function isRateLimited(status: number | null, headers: Pick<Headers, 'get'>): boolean {
  if (status === 429) return true;
  return (
    status === 403 && (headers.get('x-ratelimit-remaining') === '0' || headers.get('retry-after') !== null)
  );
}

/** `Retry-After` in seconds, otherwise the time at which the rate limit resets. */
function wishedWait(headers: Pick<Headers, 'get'>, nowMs: number): number | null {
  const after = seconds(headers.get('retry-after'));
  if (after !== null) return after * 1000;
  if (headers.get('x-ratelimit-remaining') !== '0' && headers.get('ratelimit-remaining') !== '0') return null;
  const reset = seconds(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset'));
  return reset === null ? null : reset * 1000 - nowMs;
}

function seconds(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;
}
