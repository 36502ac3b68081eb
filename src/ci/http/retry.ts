/** A request is sent at most this often. */
const mostTries = 4;
/** A forge that asks for a longer wait gets none: a job that stands still costs more than one that says so. */
const longestWaitMs = 60_000;
const firstWaitMs = 500;

export interface Refusal {
  /** null: no answer at all. */
  readonly status: number | null;
  readonly headers: Pick<Headers, 'get'>;
  /** Sending it twice does no harm: not so for what creates something, unless it was turned away unread. */
  readonly isRepeatable: boolean;
  /** How often it was sent. */
  readonly tries: number;
  readonly nowMs: number;
}

/** How long to wait before the request is sent again; null: it is given up. */
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

/** `Retry-After` in seconds, else the second at which the limit is lifted. */
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
