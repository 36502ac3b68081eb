import { type ExitCode, exitCodes } from './exit-codes.ts';

interface ErrorFacts {
  /** Stable, for programs: `unknown-option`. */
  readonly code: string;
  /** One sentence: what was wrong, and where. */
  readonly message: string;
  /** The next command to type, or what to change. */
  readonly hint: string;
  readonly cause?: unknown;
}

/** An error a person can cause or fix: shown as one line, never as a stack. */
export class JoineryError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly hint: string;
  /** Whether the same call may succeed when repeated unchanged. */
  readonly retry: boolean;

  constructor(facts: ErrorFacts & { readonly exitCode: ExitCode; readonly retry?: boolean }) {
    super(facts.message, { cause: facts.cause });
    this.name = new.target.name;
    this.code = facts.code;
    this.exitCode = facts.exitCode;
    this.hint = facts.hint;
    this.retry = facts.retry ?? false;
  }
}

/** The command line was not understood. */
export class UsageError extends JoineryError {
  constructor(facts: ErrorFacts) {
    super({ ...facts, exitCode: exitCodes.usage });
  }
}

/** A config file or variable cannot be used. */
export class ConfigError extends JoineryError {
  constructor(facts: ErrorFacts) {
    super({ ...facts, exitCode: exitCodes.usage });
  }
}

/** Something this machine lacks or refuses: a program, a permission, disk space. */
export class EnvironmentError extends JoineryError {
  constructor(facts: ErrorFacts & { readonly retry?: boolean }) {
    super({ ...facts, exitCode: exitCodes.environment });
  }
}

/** Checks the structure, because an error may come from the bootstrap or another copy of this module. */
export function isJoineryError(error: unknown): error is JoineryError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    'hint' in error &&
    typeof error.hint === 'string' &&
    'exitCode' in error &&
    typeof error.exitCode === 'number'
  );
}
