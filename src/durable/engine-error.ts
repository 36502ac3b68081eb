import { JoineryError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';

interface ErrorOptions {
  readonly exitCode?: ExitCode;
  readonly hint?: string;
  readonly retry?: boolean;
  readonly cause?: unknown;
}

/** Something the engine could not do. */
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

/** Another process took the run over: what this one does no longer counts. */
export class FencedError extends EngineError {
  constructor(run: string, token: number, now: number) {
    super('fenced', `another process took over run ${run} (token ${now}, this process had ${token})`, {
      exitCode: exitCodes.needsPerson,
      hint: `watch it: joinery logs -f ${run}`,
    });
  }
}

/** The log was asked to say something its states do not allow. Always a defect of ours, never of a person. */
export class IllegalEventError extends Error {
  constructor(type: string, why: string) {
    super(`event ${type} is not allowed: ${why}`);
    this.name = 'IllegalEventError';
  }
}
