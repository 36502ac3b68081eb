import type { StableNames } from '#check/branches/stable-names.ts';
import type { FindingBeforePolicy } from '#schema/check-report.ts';
import { findingId } from '#schema/identity.ts';

/** The same finding with an id that does not depend on how its branches were typed. */
export function withStableId(finding: FindingBeforePolicy, names: StableNames): FindingBeforePolicy {
  const refs = finding.branches.map((ref) => names[ref] ?? ref);
  if (refs.every((ref, index) => ref === finding.branches[index])) return finding;
  const id = findingId(finding.rootCause, refs);
  return { ...finding, id, witness: { ...finding.witness, command: `joinery replay ${id}` } };
}
