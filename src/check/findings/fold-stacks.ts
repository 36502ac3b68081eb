import type { FoundIn } from '#check/context.ts';
import type { Finding, Site } from '#schema/check-report.ts';
import { severities } from '#schema/vocabulary.ts';

/** Does a branch contain another one? Both by ref; never of itself. */
export type IsBuiltOn = (ref: string, other: string) => boolean;

/**
 * A branch has the problems of those it is built on. One cause is one finding: that of the lowest branches, which says
 * who has it from them.
 */
export function foldStacks(found: readonly FoundIn[], isBuiltOn: IsBuiltOn): FoundIn[] {
  const isFrom = (ref: string, other: string) => ref === other || isBuiltOn(ref, other);
  const isInherited = (upper: Finding, lower: Finding) =>
    upper !== lower &&
    upper.branches.join('\0') !== lower.branches.join('\0') &&
    upper.branches.every((ref) => lower.branches.some((other) => isFrom(ref, other))) &&
    lower.branches.every((other) => upper.branches.some((ref) => isFrom(ref, other))) &&
    severities.indexOf(lower.severity) <= severities.indexOf(upper.severity);
  const byCause = Map.groupBy(found, ({ assembled }) => assembled.finding.rootCause);
  return found.flatMap((entry) => {
    const { finding } = entry.assembled;
    const others = byCause.get(finding.rootCause) ?? [];
    if (others.some(({ assembled }) => isInherited(finding, assembled.finding))) return [];
    const heirs = others.filter(({ assembled }) => isInherited(assembled.finding, finding));
    return [heirs.length === 0 ? entry : withHeirs(entry, heirs, isBuiltOn)];
  });
}

function withHeirs(entry: FoundIn, heirs: readonly FoundIn[], isBuiltOn: IsBuiltOn): FoundIn {
  const { finding } = entry.assembled;
  const refs = heirs.flatMap(({ assembled }) => assembled.finding.branches);
  const alsoIn = [...new Set(refs)].filter((ref) => !finding.branches.includes(ref)).sort();
  const known = new Set(entry.shown.sites.map(placeOf));
  const further = new Map<string, Site>();
  for (const site of heirs.flatMap(({ shown }) => shown.sites)) {
    const earlier = further.get(placeOf(site));
    const isLower = !earlier || isBuiltOn(earlier.branch, site.branch);
    if (!known.has(placeOf(site)) && isLower) further.set(placeOf(site), site);
  }
  const names = alsoIn.length === 1 ? `${alsoIn[0]} has` : `${alsoIn.join(', ')} have`;
  return {
    ...entry,
    assembled: {
      ...entry.assembled,
      finding: { ...finding, alsoIn, message: `${finding.message}; ${names} it from there` },
    },
    shown: { ...entry.shown, sites: [...entry.shown.sites, ...further.values()] },
  };
}

/** The same in every branch, wherever the lines above have moved it. */
function placeOf({ file, symbol, role }: Site): string {
  return `${role} ${file} ${symbol}`;
}
