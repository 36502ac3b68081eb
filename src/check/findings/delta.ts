import type { CheckReport, Delta, Finding } from '#schema/check-report.ts';
import { needsRisk } from '#schema/rules.ts';

/** Sorts the findings of two reports into fixed, remaining, new and regressed. */
export function compareReports(
  before: CheckReport,
  after: CheckReport,
  fixedBefore: readonly string[] = [],
): Delta {
  const earlier = new Set(before.findings.map(({ id }) => id));
  const later = new Set(after.findings.map(({ id }) => id));
  const onceFixed = new Set(fixedBefore);
  // A finding that the project accepts now is neither fixed nor open.
  const accepted = new Set(after.ignored?.map(({ id }) => id));
  const gone = before.findings.filter(({ id }) => !later.has(id) && !accepted.has(id));
  const arrived = [...later].filter((id) => !earlier.has(id));
  return {
    fixed: gone.filter((finding) => wasLookedAt(finding, after)),
    remaining: [...later].filter((id) => earlier.has(id)),
    new: arrived.filter((id) => !onceFixed.has(id)),
    regressed: arrived.filter((id) => onceFixed.has(id)),
    unverified: gone.filter((finding) => !wasLookedAt(finding, after)),
  };
}

/** A finding is fixed only if the later check covered its branches and could read its files. A model's silence proves nothing. */
function wasLookedAt(
  { rule, branches, sites, decidedBy }: Finding,
  { base, branches: checked, inconclusive, coverage, risk }: CheckReport,
): boolean {
  const refs = new Set([base.ref, ...checked.map(({ ref }) => ref)]);
  const asText = isAboutText(rule) ? [] : (coverage?.unparsed ?? []);
  const unread = new Set([...inconclusive.map(({ file }) => file), ...asText]);
  const isCheckMissing = unread.has(undefined);
  return (
    decidedBy === 'code' &&
    (risk !== undefined || !needsRisk(rule)) &&
    branches.every((ref) => refs.has(ref)) &&
    !isCheckMissing &&
    !sites.some(({ file }) => unread.has(file))
  );
}

/** Rules that read files without parsing them. */
function isAboutText(rule: string): boolean {
  return /^[TN]/.test(rule);
}
