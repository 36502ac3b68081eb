import { resolve } from 'node:path';
import { readPlan } from '#app/workplace/read-plan.ts';
import { judgeDecomposition } from '#planning/decompose/gate.ts';
import { isEdited, sealed } from '#planning/plan-spec.ts';
import { verifyPlan } from '#planning/verify/verify-plan.ts';
import { UsageError } from '#schema/errors.ts';
import type { Plan } from '#schema/plan.ts';
import type { VerifyReport } from '#schema/planning.ts';
import { writePlan } from './plan-file.ts';
import type { ConsultWish, PlanRoom } from './plan-room.ts';

export interface VerifyWish extends ConsultWish {
  readonly cwd: string;
  readonly plan: string;
  readonly spec: string | undefined;
  readonly mayFix: boolean;
  warn(message: string): void;
}

/** Lets an agent that did not make a plan file compare it with its spec. Fixes go into the file. */
export async function verifyPlanFile(room: PlanRoom, wish: VerifyWish): Promise<VerifyReport> {
  const plan = readPlan(wish.cwd, wish.plan);
  const spec = wish.spec === undefined ? room.specAtTop(specOf(plan, wish.plan)) : room.spec(wish.spec);
  if (plan.spec?.sha256 !== undefined && plan.spec.sha256 !== spec.sha256)
    wish.warn(`${spec.path} has changed since the plan was made: joinery plan ${spec.path} makes a new one`);
  const { consult, close } = room.consultant(wish);
  try {
    const result = await verifyPlan(
      {
        spec,
        plan,
        planFile: wish.plan,
        roles: { verifier: room.role('verifier').text, fixer: room.role('fixer').text },
        mayFix: wish.mayFix,
      },
      {
        consult,
        async recheck(changed) {
          const code = await room.readCode(changed.tasks.flatMap(({ files }) => files));
          const { plan: ordered, findings } = judgeDecomposition(changed, code, room.config.planning);
          const failures = findings.filter(({ status }) => status === 'fail');
          return { plan: ordered, failures: failures.map(({ message }) => message) };
        },
      },
    );
    if (result.fixes.length > 0) {
      const isOurs = plan.origin !== undefined && !isEdited(plan);
      writePlan(
        resolve(wish.cwd, wish.plan),
        isOurs && plan.origin ? sealed(result.plan, plan.origin.key) : result.plan,
      );
    }
    const { plan: _, ...rest } = result;
    return {
      schema: 'joinery/verify@1',
      ...rest,
      plan: wish.plan,
      spec: spec.path,
      rounds: [...rest.rounds],
      fixes: [...rest.fixes],
      needsHuman: [...rest.needsHuman],
      consultations: [...rest.consultations],
      counts: countsOf(rest.findings),
    };
  } finally {
    await close();
  }
}

function specOf({ spec }: Plan, file: string): string {
  if (spec) return spec.path;
  throw new UsageError({
    code: 'no-spec',
    message: `${file} does not say which spec it was made from`,
    hint: 'name it: --spec specs/<name>.md',
  });
}

function countsOf(findings: VerifyReport['findings']): VerifyReport['counts'] {
  const requirements = findings?.requirements ?? [];
  const of = (status: string) => requirements.filter((each) => each.status === status).length;
  return {
    critical: (findings?.criticalFailures.length ?? 0) + (findings?.contractIssues.length ?? 0),
    warnings: (findings?.semanticDrift.length ?? 0) + of('partial'),
    recommendations: findings?.recommendations.length ?? 0,
    requirements: requirements.length,
    covered: of('covered'),
  };
}
