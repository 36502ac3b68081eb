import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { planSkeleton } from '#planning/decompose/plan-skeleton.ts';
import { isEdited } from '#planning/plan-spec.ts';
import { UsageError } from '#schema/errors.ts';
import { Plan } from '#schema/plan.ts';

/** Where the plan of a spec goes by default: beside it. */
export function planFileOf(spec: string): string {
  return spec.replace(/(\.md)?$/i, '.plan.json');
}

/** A plan that a person wrote or edited is not overwritten without a word. */
export function refuseEdited(file: string, named: string, force: boolean): void {
  const text = readIfThere(file);
  if (text === null || force) return;
  const plan = planIn(text);
  if (plan && !isEdited(plan)) return;
  throw new UsageError({
    code: 'plan-edited',
    message: `${named} ${plan ? 'was edited since it was made' : 'exists and was not made by joinery plan'}`,
    hint: 'keep it and write elsewhere: --out <file>, or replace it: --force',
  });
}

/** Whole or not at all. */
export function writePlan(file: string, plan: Plan): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, `${JSON.stringify(plan, null, 2)}\n`, { flag: 'wx' });
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** A plan to fill in; never over a file that is there. */
export function createPlan(cwd: string, named: string): void {
  const file = resolve(cwd, named);
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${JSON.stringify(planSkeleton(), null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UsageError({
      code: 'plan-exists',
      message: `${named} exists already`,
      hint: 'name another file: joinery plan init <file>',
    });
  }
}

function planIn(text: string): Plan | null {
  try {
    return Plan.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
