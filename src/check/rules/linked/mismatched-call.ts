import type { SeamProblem } from '#check/members/union-problems.ts';
import type { Claimed, Said } from '#check/rules/rule.ts';
import type { CallMismatch } from '#code/languages/dialect.ts';
import { describeMismatch } from '#code/link/bind-call.ts';
import { common, definedPlace } from './diagnosis-parts.ts';

interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** For a call that no longer binds; `fix`: the keyword that was renamed. */
export function saidOfCall(seam: SeamProblem, fix: Renaming | null): Claimed<Said> {
  const { problem, consumer, provider } = seam;
  const mismatch = withAddedNames(seam);
  const statement =
    mismatch && problem.mismatch
      ? problem.statement.replace(describeMismatch(problem.mismatch), () => describeMismatch(mismatch))
      : problem.statement;
  return {
    ...common(problem, problem.provider),
    message: `${statement} since ${provider.ref} changed it; ${consumer.ref} calls it the old way`,
    suggestion: fix ? `pass ${fix.to} instead of ${fix.from}` : adaptCall(mismatch, hasNewParameter(seam)),
    fix,
    provider: definedPlace(problem),
  };
}

/**
 * A call by position lacks the last parameters of the list; what the branch added may stand before them: `find(id, creator)` has become
 * `find(id, tenant, creator)`, and the call lacks the tenant.
 */
function withAddedNames({ problem: { mismatch, provider: id }, provider }: SeamProblem): CallMismatch | null {
  if (!mismatch || mismatch.unexpected.length > 0 || mismatch.surplus > 0) return mismatch;
  const added = (provider.delta.get(id) ?? []).flatMap((change) =>
    change.kind === 'signature'
      ? change.changes.flatMap((each) => (each.how === 'parameter-added' && each.required ? [each.name] : []))
      : [],
  );
  return added.length === mismatch.missing.length ? { ...mismatch, missing: added } : mismatch;
}

/** A parameter that takes over what others gave: `find({ id, name })` for `find(id, name)`. */
function hasNewParameter({ problem: { provider: id }, provider }: SeamProblem): boolean {
  return (provider.delta.get(id) ?? []).some(
    (change) => change.kind === 'signature' && change.changes.some(({ how }) => reshaping.has(how)),
  );
}

const reshaping: ReadonlySet<string> = new Set(['parameter-added', 'parameter-renamed', 'type-changed']);

/** Empty where the arguments have to be given in another form: which of them, the parameters do not say. */
function adaptCall(mismatch: SeamProblem['problem']['mismatch'], isReshaped: boolean): string {
  if (isReshaped && mismatch?.surplus) return '';
  const parts = [
    mismatch?.missing.length ? `pass ${mismatch.missing.join(', ')}` : '',
    mismatch?.unexpected.length ? `drop ${mismatch.unexpected.join(', ')}` : '',
    mismatch?.surplus ? `drop ${mismatch.surplus} argument${mismatch.surplus > 1 ? 's' : ''}` : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}
