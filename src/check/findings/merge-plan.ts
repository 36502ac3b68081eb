import type { CheckReport, Finding } from '#schema/check-report.ts';
import { holdsBack } from '#schema/verdict.ts';
import type { IsBuiltOn } from './fold-stacks.ts';

type Plan = Pick<CheckReport, 'landable' | 'blocked'>;

/**
 * Which branches can land now, and which have to wait for others. The owner of a finding that stops or asks waits, and so do
 * branches that inherit the problem from it, and branches that could not be read or merged. All others can land.
 */
export function mergePlan(
  refs: readonly string[],
  findings: readonly Finding[],
  undecided: ReadonlySet<string>,
  isBuiltOn: IsBuiltOn,
): Plan {
  const waiting = refs.map((ref) => ({ ref, by: holdingBack(ref, findings, isBuiltOn) }));
  return {
    landable: waiting.flatMap(({ ref, by }) => (by.length === 0 && !undecided.has(ref) ? [ref] : [])),
    blocked: waiting.filter(({ by }) => by.length > 0),
  };
}

function holdingBack(ref: string, findings: readonly Finding[], isBuiltOn: IsBuiltOn): string[] {
  return findings.flatMap(({ id, effect, owner, alsoIn }) => {
    if (!holdsBack({ effect }) || owner === null) return [];
    return owner === ref || (alsoIn?.includes(ref) && isBuiltOn(ref, owner)) ? [id] : [];
  });
}

/**
 * The plan after git has merged the landable branches in this order. A branch that git refuses merges only together with branches that have
 * to wait, so it waits with them.
 */
export function asMerged(plan: Plan, order: readonly string[]): Plan {
  const refused = plan.landable.filter((ref) => !order.includes(ref));
  const by = [...new Set(plan.blocked.flatMap((entry) => entry.by))];
  return { landable: [...order], blocked: [...plan.blocked, ...refused.map((ref) => ({ ref, by }))] };
}
