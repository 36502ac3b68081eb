import type { CheckReport } from '#schema/check-report.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';

/** What a check ends with; strict: important findings count as failures too. What a model thinks never does. */
export function exitCodeOf({ status, findings }: CheckReport, isStrict: boolean): ExitCode {
  if (status === 'fail') return exitCodes.findings;
  const decided = findings.filter(({ decidedBy }) => decidedBy === 'code');
  if (isStrict && decided.some(({ severity }) => severity === 'important')) return exitCodes.findings;
  return status === 'inconclusive' ? exitCodes.needsPerson : exitCodes.ok;
}
