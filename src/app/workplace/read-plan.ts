import { UsageError } from '#schema/errors.ts';
import { Plan, planProblems } from '#schema/plan.ts';
import { readInput } from './input-file.ts';

/** A plan that can be run, from a file. */
export function readPlan(cwd: string, path: string): Plan {
  const plan = readInput(cwd, path, Plan, 'plan');
  const [problem, ...more] = planProblems(plan);
  if (problem === undefined) return plan;
  throw new UsageError({
    code: 'bad-plan',
    message: `${path}: ${[problem, ...more].join('; ')}`,
    hint: 'mend the dependsOn of these tasks',
  });
}
