import { setTimeout as wait } from 'node:timers/promises';
import { parseJson } from '#lib/parse-json.ts';
import { visibleLine } from '#lib/visible.ts';
import { ApiError } from './api-error.ts';
import { nextPage } from './next-page.ts';
import { isRateLimited, waitBeforeRetry } from './retry.ts';

export interface ApiAddress {
  /** `https://api.github.com`. */
  readonly url: string;
  /** The token is in here and nowhere else. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const timeLimitMs = 20_000;
const mostPages = 100;

/** Exchanges JSON with a forge: follows pages, retries within limits, never follows a redirect with the token. */
export class ApiClient {
  readonly #address: ApiAddress;

  constructor(address: ApiAddress) {
    this.#address = { ...address, url: address.url.replace(/(?<!\/)\/+$/, '') };
  }

  async get(path: string): Promise<unknown> {
    return (await this.#ask('GET', `${this.#address.url}${path}`)).body;
  }

  /** All rows, or the first `most` of them. */
  async list(path: string, most = Number.POSITIVE_INFINITY): Promise<{ rows: unknown[]; isWhole: boolean }> {
    const rows: unknown[] = [];
    let next: string | null = `${this.#address.url}${path}`;
    for (let page = 0; next !== null && page < mostPages && rows.length < most; page++) {
      const { body, headers } = await this.#ask('GET', next);
      if (!Array.isArray(body)) throw ApiError.unexpected(next, 'is no list');
      rows.push(...body);
      next = nextPage(headers.get('link'), this.#address.url);
    }
    return { rows: rows.slice(0, most), isWhole: next === null && rows.length <= most };
  }

  async send(method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    return (await this.#ask(method, `${this.#address.url}${path}`, body)).body;
  }

  async #ask(method: string, url: string, body?: unknown): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#once(method, url, body);
      const { status, headers } = answer;
      if (status !== null && status >= 200 && status < 300) return answer as Answer;
      const isRepeatable = method !== 'POST';
      const pause = waitBeforeRetry({ status, headers, isRepeatable, tries, nowMs: Date.now() });
      if (pause === null) {
        const isLimited = isRateLimited(status, headers);
        throw ApiError.of({ method, url, status, isLimited, tries, said: saidIn(answer.body) });
      }
      await wait(pause);
    }
  }

  async #once(
    method: string,
    url: string,
    body: unknown,
  ): Promise<Omit<Answer, 'status'> & { status: number | null }> {
    try {
      const response = await fetch(url, {
        method,
        headers: {
          'User-Agent': 'joinery',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...this.#address.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // A custom header would be sent to wherever a redirect leads.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeLimitMs),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: parseJson(text) ?? null };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const said = cause instanceof Error ? cause.message : String(cause);
      return { status: null, headers: new Headers(), body: { message: said } };
    }
  }
}

/** GitHub: `message`; GitLab: `message` or `error`, text or object. */
function saidIn(body: unknown): string {
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown };
  const said = message ?? error ?? '';
  return visibleLine(typeof said === 'string' ? said : JSON.stringify(said)).slice(0, 200);
}
