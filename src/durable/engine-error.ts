import { JoineryError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';

interface ErrorOptions {
  readonly exitCode?: ExitCode;
  readonly hint?: string;
  readonly retry?: boolean;
  readonly cause?: unknown;
}

/** The engine failed. */
export class EngineError extends JoineryError {
  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super({ code, message, hint: '', exitCode: exitCodes.usage, ...options });
  }
}

/** Another live process drives the run. */
export class LeaseHeldError extends EngineError {
  constructor(run: string, holder: string) {
    super('run-held', `run ${run} is being driven by ${holder}`, {
      exitCode: exitCodes.needsPerson,
      hint: `watch it: joinery logs -f ${run}, or stop it: joinery cancel ${run}`,
      retry: true,
    });
  }
}

/** Another process took the run over: writes of this one no longer count. */
export class FencedError extends EngineError {
  constructor(run: string, token: number, now: number) {
    super('fenced', `another process took over run ${run} (token ${now}, this process had ${token})`, {
      exitCode: exitCodes.needsPerson,
      hint: `watch it: joinery logs -f ${run}`,
    });
  }
}

export function logDamaged(run: string, message: string): EngineError {
  return new EngineError('log-damaged', message, {
    exitCode: exitCodes.environment,
    hint: `restore runs.db from a backup, or: joinery prune ${run} --force`,
  });
}

/** An event that the current state does not allow. Always a bug in Joinery, never an error of a person. */
export class IllegalEventError extends Error {
  constructor(type: string, why: string) {
    super(`event ${type} is not allowed: ${why}`);
    this.name = 'IllegalEventError';
  }
}
