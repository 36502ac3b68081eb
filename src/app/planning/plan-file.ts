import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeOutput } from '#app/workplace/output-file.ts';
import { parseJson } from '#lib/parse-json.ts';
import { planSkeleton } from '#planning/decompose/plan-skeleton.ts';
import { isEdited } from '#planning/plan-spec.ts';
import { UsageError } from '#schema/errors.ts';
import { Plan } from '#schema/plan.ts';

/** Default path of a spec's plan: next to the spec. */
export function planFileOf(spec: string): string {
  return spec.replace(/(\.md)?$/i, '.plan.json');
}

/** Refuses to overwrite a plan that a person wrote or edited, unless forced. */
export function refuseEdited(file: string, named: string, force: boolean): void {
  const text = readIfThere(file, named);
  if (text === null || force) return;
  const plan = planIn(text);
  if (plan && !isEdited(plan)) return;
  throw new UsageError({
    code: 'plan-edited',
    message: `${named} ${plan ? 'was edited since it was made' : 'exists and was not made by joinery plan'}`,
    hint: 'keep it and write elsewhere: --out <file>, or replace it: --force',
  });
}

export function writePlan(file: string, plan: Plan): void {
  writeOutput('', file, `${JSON.stringify(plan, null, 2)}\n`);
}

/** Writes a plan to fill in; never overwrites a file. */
export function createPlan(cwd: string, named: string): void {
  if (existsSync(resolve(cwd, named)))
    throw new UsageError({
      code: 'plan-exists',
      message: `${named} exists already`,
      hint: 'name another file: joinery plan init <file>',
    });
  writeOutput(cwd, named, `${JSON.stringify(planSkeleton(), null, 2)}\n`);
}

function planIn(text: string): Plan | null {
  return Plan.safeParse(parseJson(text)).data ?? null;
}

function readIfThere(file: string, named: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code !== 'EISDIR' && code !== 'ENOTDIR') throw error;
    throw new UsageError({
      code: 'bad-output',
      message: `${named} is no file that a plan can be written to`,
      hint: 'name another file: --out <file>',
      cause: error,
    });
  }
}
