import type { Finding } from '#schema/check-report.ts';

/** Branches that do not fit together, the owner first: `['feat/b', 'feat/a']`. */
type Clash = readonly string[];

type Guilty = Pick<Finding, 'branches' | 'owner' | 'alsoIn'>;

/** Above this number of removals the search stops and the owners are excluded. */
const mostRemovals = 14;

/**
 * The largest set of branches without a conflict. Of several sets of that size, the one that excludes the owners of the
 * findings. The target, which is not among `refs`, is always included.
 */
export function largestCoherentSet(refs: readonly string[], findings: readonly Guilty[]): string[] {
  const clashes = findings.flatMap(clashesOf).map((clash) => clash.filter((ref) => refs.includes(ref)));
  const real = clashes.filter((clash) => clash.length > 0);
  for (let most = 0; most <= Math.min(mostRemovals, refs.length); most++) {
    const removed = removalOf(real, new Set(), most);
    if (removed) return refs.filter((ref) => !removed.has(ref));
  }
  const owners = new Set(real.flatMap(([first]) => first ?? []));
  return refs.filter((ref) => !owners.has(ref));
}

/** A branch built on a conflicting one has the same problem. */
function clashesOf({ branches, owner, alsoIn = [] }: Guilty): Clash[] {
  const first = owner === null ? [] : [owner];
  const others = branches.filter((ref) => ref !== owner);
  const inherited = owner === null ? [] : alsoIn.map((ref) => [ref, ...others]);
  return [[...first, ...others], ...inherited];
}

/** The fewest branches whose removal leaves no clash, up to a limit; null when the limit is not enough. */
function removalOf(
  clashes: readonly Clash[],
  removed: ReadonlySet<string>,
  most: number,
): ReadonlySet<string> | null {
  const open = clashes.find((clash) => !clash.some((ref) => removed.has(ref)));
  if (!open) return removed;
  if (removed.size === most) return null;
  for (const ref of open) {
    const found = removalOf(clashes, new Set([...removed, ref]), most);
    if (found) return found;
  }
  return null;
}
