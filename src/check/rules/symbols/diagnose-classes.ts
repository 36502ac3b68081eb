import type { SeamProblem } from '#check/members/union-problems.ts';
import type { Diagnosis } from '#check/rules/diagnosis.ts';
import { symbolId } from '#schema/identity.ts';
import {
  changeOfMember,
  common,
  definedPlace,
  followed,
  idOf,
  isNewFile,
  isNewSymbol,
  mismatchWithNew,
  placeOf,
  splitId,
} from './diagnosis-parts.ts';

/** S11 */
export function diagnoseUnimplemented(seam: SeamProblem): Diagnosis {
  const { problem, consumer, provider } = seam;
  const [path = '', name = ''] = splitId(problem.provider);
  const [owner = ''] = name.split('.');
  const at = definedPlace(problem);
  if (isNewSymbol(provider, symbolId(path, owner)) || isNewFile(provider, path))
    return mismatchWithNew(seam, `${problem.statement}, as ${provider.ref} defines it`, at);
  const implementer = splitId(problem.consumer)[1] || problem.file;
  return {
    ...common(problem, problem.provider),
    rule: 'S11',
    message: `${provider.ref} makes ${name} something to implement; ${consumer.ref} has ${implementer} without it`,
    suggestion: `implement ${name.slice(owner.length + 1)}, or make it optional`,
    mechanical: followed,
    provider: at,
  };
}

/** S12: the override cannot be called the way its base is. */
export function diagnoseOverride(seam: SeamProblem): Diagnosis {
  const { problem, consumer, provider } = seam;
  const [path = '', name = ''] = splitId(problem.provider);
  const at = definedPlace(problem);
  if (isNewSymbol(provider, symbolId(path, name.split('.')[0] ?? '')) || isNewFile(provider, path))
    return mismatchWithNew(seam, `${problem.statement}, as ${provider.ref} defines that`, at);
  return {
    ...common(problem, problem.provider),
    rule: 'S12',
    message: `${problem.statement} since ${provider.ref} changed it; ${consumer.ref} overrides the old one`,
    suggestion: `give ${splitId(problem.consumer)[1]} the parameters that ${name} has now`,
    mechanical: followed,
    provider: at,
  };
}

/** S12: what is overridden is gone. */
export function diagnoseUnfounded({ problem, consumer, provider }: SeamProblem): Diagnosis {
  const own = splitId(problem.provider)[1];
  const name = own.slice(own.lastIndexOf('.') + 1);
  const change = changeOfMember(provider, name);
  const gone = change?.kind === 'renamed' || change?.kind === 'removed' ? change : null;
  const renamed = gone?.kind === 'renamed' ? gone.after.definition.name : null;
  return {
    ...common(problem, gone ? idOf(gone.before) : problem.provider),
    rule: 'S12',
    message: `${own} on ${consumer.ref} overrides ${name}, which ${provider.ref} ${renamed === null ? 'removes from' : `renames to ${renamed} in`} the base`,
    suggestion: renamed === null ? `drop ${own}, or keep ${name} in the base` : `override ${renamed} instead`,
    fix: renamed === null ? null : { from: name, to: renamed },
    mechanical: followed,
    provider: gone ? placeOf(gone.before, true) : null,
  };
}
