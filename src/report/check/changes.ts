import type { CheckReport, Delta, Finding } from '#schema/check-report.ts';
import { holdsBack } from '#schema/verdict.ts';
import { groupByCause, isForPeople } from './groups.ts';

/** The findings by status, in reading order. */
export type Changes = { readonly [kind in keyof Delta]: readonly Finding[] };

/** The delta of a report with whole findings instead of ids; null if there was nothing to compare with. */
export function changesOf({ delta, findings }: CheckReport): Changes | null {
  if (!delta) return null;
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const present = (ids: readonly string[]) => ordered(ids.flatMap((id) => byId.get(id) ?? []));
  return {
    fixed: ordered(delta.fixed),
    remaining: present(delta.remaining),
    new: present(delta.new),
    regressed: present(delta.regressed),
    unverified: ordered(delta.unverified),
  };
}

function ordered(findings: readonly Finding[]): Finding[] {
  return groupByCause(findings.filter(isForPeople)).flat();
}

/** `1 issue(s) fixed, 0 remaining, 0 new`, and the other statuses if there are any. */
export function summarizeChanges(changes: Changes): string {
  const counts = [
    `${changes.fixed.length} issue(s) fixed`,
    `${changes.remaining.length} remaining`,
    `${changes.new.length} new`,
  ];
  if (changes.regressed.length > 0) counts.push(`${changes.regressed.length} regressed`);
  if (changes.unverified.length > 0) counts.push(`${changes.unverified.length} not checked`);
  return counts.join(', ');
}

export const allResolved = 'All previous issues resolved!';

export function areAllResolved({ fixed, remaining, unverified }: Changes): boolean {
  return fixed.length > 0 && remaining.length === 0 && unverified.length === 0;
}

/** Number of blocking findings before and now. */
export function countBlocking(changes: Changes): { readonly before: number; readonly now: number } {
  const count = (...lists: (readonly Finding[])[]) => lists.flat().filter(holdsBack).length;
  return {
    before: count(changes.fixed, changes.remaining, changes.unverified),
    now: count(changes.remaining, changes.new, changes.regressed),
  };
}
