import { JoineryError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { WorkflowErrorCode } from '#schema/workflow-run.ts';

/** A call that changed nothing. `retry` says whether the same call can succeed later. */
export class WorkflowError extends JoineryError {
  constructor(code: WorkflowErrorCode, message: string, hint: string, options: { retry?: boolean } = {}) {
    const exitCode = code === 'PRECONDITION_FAILED' ? exitCodes.needsPerson : exitCodes.usage;
    super({ code, message, hint, exitCode, ...options });
  }
}
