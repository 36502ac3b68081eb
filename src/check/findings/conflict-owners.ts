import type { FoundIn } from '#check/context.ts';
import type { FindingBeforePolicy } from '#schema/check-report.ts';

/**
 * Of two branches that conflict, the one that is left out of the union of all becomes the owner: it may conflict with
 * many branches that conflict with nothing else.
 */
export function ownConflicts(found: readonly FoundIn[], excluded: ReadonlySet<string>): FoundIn[] {
  const swapped = new Map<string, Pick<FindingBeforePolicy, 'owner' | 'ownerReason'>>();
  for (const { assembled } of found) {
    const { rule, owner, ownerReason, branches } = assembled.finding;
    const isKept = owner !== null && !excluded.has(owner);
    if (rule === 'T01' && branches.length === 2 && isKept && branches.some((ref) => excluded.has(ref)))
      swapped.set(branches.join('\0'), { owner, ownerReason });
  }
  return found.map((entry) => {
    const { finding } = entry.assembled;
    const before = swapped.get(finding.branches.join('\0'));
    // Findings that explain the conflict have the same owner, for the same reason.
    if (!before || finding.owner !== before.owner || finding.ownerReason !== before.ownerReason) return entry;
    return { ...entry, assembled: { ...entry.assembled, finding: ownedByOther(finding) } };
  });
}

function ownedByOther(finding: FindingBeforePolicy): FindingBeforePolicy {
  const owner = finding.branches.find((ref) => ref !== finding.owner) ?? null;
  return {
    ...finding,
    owner,
    ownerReason: 'more branches merge without it than with it',
    suggestion:
      finding.rule === 'T01' ? `rebase ${owner} on ${finding.owner} and resolve by hand` : finding.suggestion,
  };
}
