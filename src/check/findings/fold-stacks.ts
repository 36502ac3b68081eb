import type { FoundIn } from '#check/context.ts';
import type { FindingBeforePolicy, Site } from '#schema/check-report.ts';
import { severities } from '#schema/vocabulary.ts';

/** Whether a branch contains another one, both given by ref; false for the same branch. */
export type IsBuiltOn = (ref: string, other: string) => boolean;

/**
 * A branch inherits the problems of the branches it is built on. One cause is one finding: that of the lowest branches,
 * which names the branches that inherit it.
 */
export function foldStacks(found: readonly FoundIn[], isBuiltOn: IsBuiltOn): FoundIn[] {
  const isFrom = (ref: string, other: string) => ref === other || isBuiltOn(ref, other);
  const isInherited = (upper: FindingBeforePolicy, lower: FindingBeforePolicy) =>
    upper !== lower &&
    upper.branches.join('\0') !== lower.branches.join('\0') &&
    upper.branches.every((ref) => lower.branches.some((other) => isFrom(ref, other))) &&
    lower.branches.every((other) => upper.branches.some((ref) => isFrom(ref, other))) &&
    severities.indexOf(lower.severity) <= severities.indexOf(upper.severity);
  const byCause = Map.groupBy(found, ({ assembled }) => assembled.finding.rootCause);
  const byProblem = new Map<string, Set<FoundIn>>();
  for (const entry of found)
    for (const id of problemsOf(entry)) byProblem.set(id, (byProblem.get(id) ?? new Set()).add(entry));
  return found.flatMap((entry) => {
    const { finding } = entry.assembled;
    const own = problemsOf(entry);
    // A further change of the upper branch may make a renamed function a removed one: the problem is the same.
    const ofSameProblems = own
      .flatMap((id) => [...(byProblem.get(id) ?? [])])
      .filter((other) => isSame(other, own));
    const others = [...new Set([...(byCause.get(finding.rootCause) ?? []), ...ofSameProblems])];
    if (others.some(({ assembled }) => isInherited(finding, assembled.finding))) return [];
    const heirs = others.filter(({ assembled }) => isInherited(assembled.finding, finding));
    const below = ({ assembled }: FoundIn) =>
      heirs.filter((other) => isInherited(assembled.finding, other.assembled.finding)).length;
    // Lower branches come first: a problem belongs to the lowest branch that has it.
    heirs.sort((x, y) => below(x) - below(y));
    return [heirs.length === 0 ? entry : withHeirs(entry, heirs)];
  });
}

function problemsOf({ assembled }: FoundIn): string[] {
  return assembled.problems.map(({ file, key }) => `${file} ${key}`);
}

function isSame(other: FoundIn, problems: readonly string[]): boolean {
  const theirs = problemsOf(other);
  return theirs.length === problems.length && theirs.every((id) => problems.includes(id));
}

function withHeirs(entry: FoundIn, heirs: readonly FoundIn[]): FoundIn {
  const { finding } = entry.assembled;
  const refs = heirs.flatMap(({ assembled }) => assembled.finding.branches);
  const alsoIn = [...new Set(refs)].filter((ref) => !finding.branches.includes(ref)).sort();
  const sites = [...entry.shown.sites];
  for (const heir of heirs) sites.push(...furtherSites(sites, heir.shown.sites, finding));
  const names = alsoIn.length === 1 ? `${alsoIn[0]} has` : `${alsoIn.join(', ')} have`;
  return {
    ...entry,
    assembled: {
      ...entry.assembled,
      finding: { ...finding, alsoIn, message: `${finding.message}; ${names} it from there` },
    },
    shown: { ...entry.shown, sites },
  };
}

/**
 * The sites that an upper branch adds to a cause. A branch that both findings name has the same lines in both: a line
 * that is new there is another conflict, and the sites of the upper branch in that file belong to it.
 */
function furtherSites(
  known: readonly Site[],
  sites: readonly Site[],
  { branches }: FindingBeforePolicy,
): Site[] {
  const symbols = new Set(known.map(placeOf));
  const lines = new Set(known.map((site) => `${site.branch} ${site.line} ${placeOf(site)}`));
  const isNewLine = (site: Site) =>
    branches.includes(site.branch) && !lines.has(`${site.branch} ${site.line} ${placeOf(site)}`);
  const files = new Set(sites.filter(isNewLine).map(({ file }) => file));
  return sites.filter(
    (site) =>
      !symbols.has(placeOf(site)) ||
      isNewLine(site) ||
      (files.has(site.file) && !branches.includes(site.branch)),
  );
}

/** Equal in every branch, whatever line it is on. */
function placeOf({ file, symbol, role }: Site): string {
  return `${role} ${file} ${symbol}`;
}
