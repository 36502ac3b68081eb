import type { SeamProblem } from '#check/members/union-problems.ts';
import type { Claimed, Said } from '#check/rules/rule.ts';
import { common, definedPlace } from './diagnosis-parts.ts';

interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** For a call that no longer binds; `fix`: the keyword that was renamed. */
export function saidOfCall(
  { problem, consumer, provider }: SeamProblem,
  fix: Renaming | null,
): Claimed<Said> {
  return {
    ...common(problem, problem.provider),
    message: `${problem.statement} since ${provider.ref} changed it; ${consumer.ref} calls it the old way`,
    suggestion: fix ? `pass ${fix.to} instead of ${fix.from}` : adaptCall(problem.mismatch),
    fix,
    provider: definedPlace(problem),
  };
}

function adaptCall(mismatch: SeamProblem['problem']['mismatch']): string {
  const parts = [
    mismatch?.missing.length ? `pass ${mismatch.missing.join(', ')}` : '',
    mismatch?.unexpected.length ? `drop ${mismatch.unexpected.join(', ')}` : '',
    mismatch?.surplus ? `drop ${mismatch.surplus} argument${mismatch.surplus > 1 ? 's' : ''}` : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}
