import type { ErrorEnvelope } from '#schema/error-envelope.ts';
import { isJoineryError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';

export function errorEnvelope(code: string, message: string, hint: string): ErrorEnvelope {
  return { schema: 'joinery/error@1', status: 'error', error: { code, message, hint } };
}

const missing: ReadonlySet<string> = new Set([
  'not-found',
  'NOT_FOUND',
  'unknown-run',
  'unknown-repository',
  'no-repository-here',
  'unknown-task',
  'unknown-ref',
]);

/** The error envelope for a caller, and its HTTP status. */
export function explain(error: unknown): { status: 400 | 404 | 409 | 500 | 503; envelope: ErrorEnvelope } {
  if (!isJoineryError(error)) {
    const message = error instanceof Error ? error.message : String(error);
    return { status: 500, envelope: errorEnvelope('internal', message, 'this is a defect of joinery') };
  }
  const envelope = errorEnvelope(error.code, error.message, error.hint);
  if (missing.has(error.code)) return { status: 404, envelope };
  if (error.exitCode === exitCodes.usage) return { status: 400, envelope };
  return { status: error.exitCode === exitCodes.environment ? 503 : 409, envelope };
}
