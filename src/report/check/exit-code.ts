import type { CheckReport } from '#schema/check-report.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';

/** The exit code of a check; strict: important findings fail too. Opinions of a model never count. */
export function exitCodeOf({ status, findings }: CheckReport, isStrict: boolean): ExitCode {
  if (status === 'fail') return exitCodes.findings;
  const decided = findings.filter(({ decidedBy }) => decidedBy === 'code');
  if (isStrict && decided.some(({ severity }) => severity === 'important')) return exitCodes.findings;
  return status === 'inconclusive' ? exitCodes.needsPerson : exitCodes.ok;
}
