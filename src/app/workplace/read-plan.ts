import { z } from 'zod';
import { UsageError } from '#schema/errors.ts';
import { Plan, planProblems, unknownPlanKeys } from '#schema/plan.ts';
import { readInput } from './input-file.ts';

export function readPlan(cwd: string, path: string): Plan {
  // Otherwise a misspelt key would be ignored silently, or reported as a missing one.
  const unknown = unknownPlanKeys(readInput(cwd, path, z.unknown(), 'plan')).map(
    ({ path: key, meant }) =>
      `unknown key "${key.join('.')}"${meant === null ? '' : `; did you mean "${meant}"?`}`,
  );
  if (unknown.length > 0) throw badPlan(path, unknown, 'the keys of a plan: schemas/plan.schema.json');
  const plan = readInput(cwd, path, Plan, 'plan');
  const problems = planProblems(plan);
  if (problems.length > 0) throw badPlan(path, problems, `fix ${path}`);
  return plan;
}

function badPlan(path: string, problems: readonly string[], hint: string): UsageError {
  return new UsageError({ code: 'bad-plan', message: `${path}: ${problems.join('; ')}`, hint });
}
