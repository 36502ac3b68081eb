import { JoineryError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';

interface Failure {
  readonly method: string;
  readonly url: string;
  /** null: no answer. */
  readonly status: number | null;
  readonly isLimited: boolean;
  readonly tries: number;
  readonly said: string;
}

/** The forge gave no usable answer: inconclusive (2), unless it refused what we sent (3). */
export class ApiError extends JoineryError {
  readonly status: number | null;

  constructor(facts: {
    code: string;
    message: string;
    hint: string;
    status: number | null;
    isRefused: boolean;
  }) {
    super({ ...facts, exitCode: facts.isRefused ? exitCodes.usage : exitCodes.needsPerson });
    this.status = facts.status;
  }

  static of({ method, url, status, isLimited, tries, said }: Failure): ApiError {
    const asked = `${method} ${new URL(url).pathname}`;
    const detail = said === '' ? '' : `: ${said}`;
    const often = tries === 1 ? '' : ` after ${tries} tries`;
    if (isLimited)
      return new ApiError({
        code: 'rate-limited',
        message: `${asked} was turned away by the rate limit${often}${detail}`,
        hint: 'run the job again later, or use a token of its own',
        status,
        isRefused: false,
      });
    if (status === null || status >= 500)
      return new ApiError({
        code: 'api-unavailable',
        message: `${asked} got ${status === null ? 'no answer' : status}${often}${detail}`,
        hint: 'run the job again',
        status,
        isRefused: false,
      });
    return new ApiError({
      code: 'api-refused',
      message: `${asked} was refused with ${status}${detail}`,
      hint: 'see which permissions the token needs: docs/ci.md',
      status,
      isRefused: true,
    });
  }

  static unexpected(url: string, what: string): ApiError {
    return new ApiError({
      code: 'api-unexpected',
      message: `the answer of ${new URL(url).pathname} ${what}`,
      hint: 'is the address of the API right?',
      status: 200,
      isRefused: false,
    });
  }
}
