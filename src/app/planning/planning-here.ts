import { readPlan } from '#app/workplace/read-plan.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { loadConfig } from '#config/read-config.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { intentOf } from '#review/intent/intent-guard.ts';
import { JoineryError, UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type {
  GuardianReport,
  PlanInitReport,
  PlanReport,
  RolesReport,
  SpecAudit,
  SpecKind,
  SpecNewReport,
  VerifyReport,
} from '#schema/planning.ts';
import { type AgentWish, consulting } from './consulting.ts';
import { guardFile } from './guard-document.ts';
import { listRoles } from './list-roles.ts';
import { makePlan, type PlanWish } from './make-plan.ts';
import { createPlan } from './plan-file.ts';
import type { ConsultWish } from './plan-room.ts';
import { readSpec } from './read-spec.ts';
import { auditSpecFile, createSpec } from './spec-files.ts';
import { type VerifyWish, verifyPlanFile } from './verify-plan-file.ts';

type Here = Pick<Surroundings, 'cwd' | 'env'>;
type Typed<Wish> = AgentWish & Omit<Wish, keyof ConsultWish | 'cwd' | 'warn'>;

export function planHere(here: Surroundings, wish: Typed<PlanWish>): Promise<PlanReport> {
  return consulting(
    here,
    wish,
    (room, ask) => makePlan(room, { ...wish, ...ask, cwd: here.cwd }),
    (room) => room.spec(wish.spec),
  );
}

export function planInitHere({ cwd }: Here, file: string): PlanInitReport {
  createPlan(cwd, file);
  return { schema: 'joinery/plan-init@1', file };
}

export function verifyHere(here: Surroundings, wish: Typed<VerifyWish>): Promise<VerifyReport> {
  const { cwd, terminal } = here;
  return consulting(
    here,
    wish,
    (room, ask) => verifyPlanFile(room, { ...wish, ...ask, cwd, warn: terminal.warn }),
    () => readPlan(cwd, wish.plan),
  );
}

export function guardianHere(
  here: Surroundings,
  wish: AgentWish & { readonly file: string; readonly vision: string | undefined },
): Promise<GuardianReport> {
  return consulting(
    here,
    wish,
    (room, ask) => guardFile(room, { ...wish, ...ask }),
    (room) => room.spec(wish.file),
  );
}

export async function newSpecHere({ cwd }: Here, kind: SpecKind, name: string): Promise<SpecNewReport> {
  return createSpec(topOf(await openRepository(cwd)), kind, name);
}

export async function auditSpecHere({ cwd, env }: Here, file: string): Promise<SpecAudit> {
  const root = topOf(await openRepository(cwd));
  const { values } = await loadConfig({ root, env });
  return auditSpecFile(root, readSpec(root, cwd, file), values.planning.maxTasks);
}

/** A spec named on the command line, in the form a run stores. */
export function specHere(
  repository: Repository,
  cwd: string,
  typed: string,
): { path: string; sha256: string } {
  const { path, sha256, text } = readSpec(topOf(repository), cwd, typed);
  // A question must not start work: no run, no branch, no agent.
  if (intentOf(text).intent === 'question') {
    throw new JoineryError({
      code: 'question',
      exitCode: exitCodes.needsPerson,
      message: `${path} asks a question and says nothing that is to change`,
      hint: 'write what should be different afterwards: joinery spec new feature <name> writes a template',
    });
  }
  return { path, sha256 };
}

export async function rolesHere(
  { cwd, terminal }: Pick<Surroundings, 'cwd' | 'terminal'>,
  base: string | undefined,
  named: string | undefined,
): Promise<RolesReport> {
  const { report, warnings } = await listRoles(await openRepository(cwd), base ?? 'HEAD', named);
  for (const warning of warnings) terminal.warn(warning);
  return report;
}

function topOf({ workTree }: Repository): string {
  if (workTree !== null) return workTree;
  throw new UsageError({
    code: 'no-worktree',
    message: 'a bare repository has no specs',
    hint: 'go into a worktree of it: git worktree list',
  });
}
