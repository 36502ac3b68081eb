import { environmentFault } from '#schema/environment-fault.ts';
import type { ErrorEnvelope } from '#schema/error-envelope.ts';
import { isJoineryError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';

interface Failure {
  readonly exitCode: ExitCode;
  /** For people: one line for a known error, the stack for an unknown one. */
  readonly text: string;
  /** For programs. */
  readonly envelope: ErrorEnvelope;
}

/** The only place that decides between a clear line and a stack. */
export function explainFailure(thrown: unknown, isVerbose: boolean): Failure {
  const error = isJoineryError(thrown) ? thrown : (environmentFault(thrown) ?? thrown);
  if (isJoineryError(error)) {
    const next = error.hint === '' ? '' : ` Next: ${error.hint}`;
    const causes = isVerbose ? causeChain(error).map((cause) => `\n  caused by ${cause}`) : [];
    return {
      exitCode: error.exitCode,
      text: `joinery: ${asSentence(error.message)}${next}${causes.join('')}`,
      envelope: envelopeOf(error.code, error.message, error.hint),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const causes = causeChain(error).map((cause) => `\n  caused by ${cause}`);
  const hint = 'this is a defect of joinery: please report it with the lines above';
  return {
    // Never 1: a crash must not read as findings.
    exitCode: exitCodes.environment,
    text: `joinery: ${stack}${causes.join('')}\nNext: ${hint}`,
    envelope: envelopeOf('internal', message, hint),
  };
}

function envelopeOf(code: string, message: string, hint: string): ErrorEnvelope {
  return { schema: 'joinery/error@1', status: 'error', error: { code, message, hint } };
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function causeChain(error: unknown): string[] {
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  while (cause !== undefined && causes.length < 10) {
    causes.push(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}
