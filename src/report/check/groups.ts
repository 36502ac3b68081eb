import type { Finding, Site } from '#schema/check-report.ts';
import { effects } from '#schema/verdict.ts';
import { severities } from '#schema/vocabulary.ts';

/** The site that an annotation points at: the place that has to change, if it is known. */
export function primarySite({ sites, owner }: Finding): Site | undefined {
  const owned = sites.filter(({ branch }) => branch === owner);
  return (
    owned.find(({ role }) => role === 'consumer') ??
    owned[0] ??
    sites.find(({ role }) => role === 'consumer') ??
    sites[0]
  );
}

/** On the page of one branch: a site in that branch, if the finding has one. */
export function siteFor(finding: Finding, branch: string | null): Site | undefined {
  const own = finding.sites.filter((site) => site.branch === branch);
  return own.find(({ role }) => role === 'consumer') ?? own[0] ?? primarySite(finding);
}

/** What is hidden only ranks other work. */
export function isForPeople({ effect }: Pick<Finding, 'effect'>): boolean {
  return effect !== 'hidden';
}

/** Reported by a model and not decided by code. */
export function isOpinion({ decidedBy }: Finding): boolean {
  return decidedBy === 'agent';
}

/** Findings grouped by cause: the most urgent causes first, then by file. */
export function groupByCause(findings: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings.toSorted(byWeight)) {
    const group = groups.get(finding.rootCause);
    if (group) group.push(finding);
    else groups.set(finding.rootCause, [finding]);
  }
  return [...groups.values()];
}

function byWeight(a: Finding, b: Finding): number {
  return (
    effects.indexOf(a.effect) - effects.indexOf(b.effect) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    compare(primarySite(a)?.file ?? '', primarySite(b)?.file ?? '') ||
    (primarySite(a)?.line ?? 0) - (primarySite(b)?.line ?? 0) ||
    compare(a.id, b.id)
  );
}

/** By code unit: the same order on every machine, in any locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const shortest = 8;

/** Cuts ids to the shortest length at which they still differ. */
export function shortIds(findings: readonly Finding[]): (id: string) => string {
  const ids = new Set(findings.map(({ id }) => id));
  const longest = findings.reduce((length, { id }) => Math.max(length, id.length), shortest);
  let length = shortest;
  while (length < longest && new Set(Array.from(ids, (id) => id.slice(0, length))).size < ids.size) length++;
  return (id) => id.slice(0, length);
}
