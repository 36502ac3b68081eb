import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { IsBuiltOn } from './fold-stacks.ts';

type Plan = Pick<CheckReport, 'landable' | 'blocked'>;

/**
 * What can land now and what has to wait for whom: the owner of a blocking finding waits, and so does who has the
 * problem from it; so does what could not be read or merged, for nothing is known about it; everyone else may go.
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
  return findings.flatMap(({ id, severity, owner, alsoIn }) => {
    if (severity !== 'blocking' || owner === null) return [];
    return owner === ref || (alsoIn?.includes(ref) && isBuiltOn(ref, owner)) ? [id] : [];
  });
}

/**
 * The plan after git has merged what it lets land, in this order. What git refuses merged beside branches that have to
 * wait, so it waits with them.
 */
export function asMerged(plan: Plan, order: readonly string[]): Plan {
  const refused = plan.landable.filter((ref) => !order.includes(ref));
  const by = [...new Set(plan.blocked.flatMap((entry) => entry.by))];
  return { landable: [...order], blocked: [...plan.blocked, ...refused.map((ref) => ({ ref, by }))] };
}
