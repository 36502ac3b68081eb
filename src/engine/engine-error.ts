interface ErrorOptions {
  readonly exitCode?: 1 | 2 | 3 | 4 | 5;
  readonly hint?: string;
  readonly retry?: boolean;
  readonly cause?: unknown;
}

/** Something the engine could not do, told to a person with the next command to type. */
export class EngineError extends Error {
  readonly code: string;
  readonly exitCode: 1 | 2 | 3 | 4 | 5;
  readonly hint: string;
  readonly retry: boolean;

  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'EngineError';
    this.code = code;
    this.exitCode = options.exitCode ?? 3;
    this.hint = options.hint ?? '';
    this.retry = options.retry ?? false;
  }
}

/** Another live process drives the run. */
export class LeaseHeldError extends EngineError {
  constructor(run: string, holder: string) {
    super('run-held', `run ${run} is being driven by ${holder}`, {
      exitCode: 2,
      hint: `watch it: joinery logs -f ${run}, or stop it: joinery cancel ${run}`,
      retry: true,
    });
    this.name = 'LeaseHeldError';
  }
}

/** Somebody else took the run over: nothing this process does counts any more. */
export class FencedError extends EngineError {
  constructor(run: string, token: number, now: number) {
    super('fenced', `another process took over run ${run} (token ${now}, this process had ${token})`, {
      exitCode: 2,
      hint: `watch it: joinery logs -f ${run}`,
    });
    this.name = 'FencedError';
  }
}

/** The log was asked to say something its states do not allow. Always a defect of ours, never of a person. */
export class IllegalEventError extends Error {
  constructor(type: string, why: string) {
    super(`event ${type} is not allowed: ${why}`);
    this.name = 'IllegalEventError';
  }
}
