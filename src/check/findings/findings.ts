import type { Member } from '#check/members/member.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import type { Problem } from '#code/link/problem.ts';
import type { FindingBeforePolicy, Site } from '#schema/check-report.ts';
import { findingId, rootCauseId } from '#schema/identity.ts';
import { ruleById } from '#schema/rules.ts';
import { severities } from '#schema/vocabulary.ts';
import { type BlastRadius, chooseOwner } from './owner.ts';

/** A finding with what is needed to show it: the members and the location of each site's text. */
export interface Assembled {
  readonly finding: FindingBeforePolicy;
  /** The problems it was assembled from. */
  readonly problems: readonly Pick<Problem, 'file' | 'key'>[];
  readonly members: readonly Member[];
  readonly places: readonly {
    readonly site: Site;
    readonly side: Member;
    readonly removed: boolean;
    readonly inUnion: boolean;
    /** The word to point at: facts only record where an expression or a definition starts. */
    readonly word: string;
  }[];
}

/** What all findings of one union share. */
export interface UnionContext {
  /** null when the text does not merge. */
  readonly tree: string | null;
  /** Ref of the base. */
  readonly base: string;
  readonly radius: BlastRadius;
}

/** Problems with one cause between the same members become one finding with many sites. */
export async function assembleFindings(
  problems: readonly DiagnosedProblem[],
  union: UnionContext,
  guilty: readonly Member[] = [],
): Promise<Assembled[]> {
  const groups = new Map<string, DiagnosedProblem[]>();
  for (const entry of problems) {
    const refs = [entry.consumer.ref, entry.provider.ref].sort();
    const key = JSON.stringify([entry.diagnosis.rule, entry.diagnosis.providerKey, refs]);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return Promise.all([...groups.values()].map((group) => assemble(group, union, guilty)));
}

async function assemble(
  group: readonly DiagnosedProblem[],
  union: UnionContext,
  guilty: readonly Member[],
): Promise<Assembled> {
  const first = strongest(group);
  const { diagnosis, consumer, provider } = first;
  const rule = ruleById(diagnosis.rule);
  const members = new Map([consumer, provider, ...guilty].map((side) => [side.ref, side.commit]));
  const refs = [...members.keys()].sort();
  const rootCause = rootCauseId(rule.id, diagnosis.providerKey);
  const id = findingId(rootCause, refs);
  const places = placesOf(group);
  const owner = await chooseOwner(first, union.radius);
  const finding: FindingBeforePolicy = {
    id,
    rootCause,
    rule: rule.id,
    category: rule.category,
    ...(diagnosis.tags ? { tags: [...diagnosis.tags] } : {}),
    severity: diagnosis.severity ?? rule.severity,
    confidence: diagnosis.confidence,
    judge: diagnosis.confidence === 'proven' ? (diagnosis.judge ?? 'facts') : null,
    decidedBy: 'code',
    message: asCalled(diagnosis.message),
    branches: refs,
    owner: owner.ref,
    ownerReason: owner.reason,
    sites: places.map(({ site }) => site),
    tier: first.problem.tier,
    witness: {
      unionTree: union.tree,
      members: refs.map((ref) => ({ ref, commit: members.get(ref) ?? '' })),
      command: `joinery replay ${id}`,
      output: [...new Set(group.map(({ problem }) => witnessLine(problem)))].sort().join('\n'),
      absentOn: refs.length > 1 ? refs : [],
    },
    suggestion: asCalled(diagnosis.suggestion),
    ...(diagnosis.fix ? { fix: diagnosis.fix } : {}),
  };
  const sides = [consumer, provider, ...guilty];
  return { finding, places, members: sides, problems: group.map(({ problem }) => problem) };
}

/** The result of a call is a member of the function in ids, `useUser.().name`; people write `useUser().name`. */
function asCalled(text: string): string {
  return text.replaceAll('.().', '().');
}

function strongest(group: readonly DiagnosedProblem[]): DiagnosedProblem {
  const proven = group.find(({ diagnosis }) => diagnosis.confidence === 'proven');
  const first = proven ?? group[0];
  if (!first) throw new Error('a finding needs a problem');
  return first;
}

function witnessLine(problem: DiagnosedProblem['problem']): string {
  const [at] = problem.sites;
  return `${problem.file}:${at?.line ?? 1}:${at?.column ?? 1}: ${problem.statement}`;
}

function placesOf(group: readonly DiagnosedProblem[]): Assembled['places'] {
  const places = group.flatMap((entry) => {
    const { problem, provider, diagnosis } = entry;
    const sides = entry.siteSides ?? [entry.consumer];
    const own = problem.sites.map((place, index) => {
      const side = sides[Math.min(index, sides.length - 1)] ?? provider;
      const site = { branch: side.ref, ...place, role: 'consumer' as const };
      return {
        site,
        side,
        removed: false,
        inUnion: diagnosis.sitesAreOfBranch !== true,
        word: lastName(problem.provider),
      };
    });
    if (!diagnosis.provider) return own;
    const { removed, ...place } = diagnosis.provider;
    const site = { branch: provider.ref, ...place, role: 'provider' as const };
    return [...own, { site, side: provider, removed, inUnion: false, word: lastName(site.symbol) }];
  });
  const unique = new Map(places.map((place) => [JSON.stringify(place.site), place]));
  return [...unique.values()].sort((a, b) => compareSites(a.site, b.site));
}

/** `save` for `src/user.ts#User.save`; empty for a module. */
function lastName(symbol: string): string {
  return (
    symbol
      .slice(symbol.lastIndexOf('#') + 1)
      .split('.')
      .at(-1) ?? ''
  );
}

function compareSites(a: Site, b: Site): number {
  if (a.role !== b.role) return a.role === 'provider' ? -1 : 1;
  return (
    compareText(a.file, b.file) || a.line - b.line || a.column - b.column || compareText(a.branch, b.branch)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Worst first, then by rule and location: the same order in every run. */
export function sortFindings<T extends { readonly assembled: Pick<Assembled, 'finding'> }>(
  findings: readonly T[],
): T[] {
  const rank = ({ assembled: { finding } }: T): string =>
    [
      severities.indexOf(finding.severity),
      finding.rule,
      finding.sites[0]?.file ?? '',
      finding.rootCause,
      finding.id,
    ].join('\0');
  return [...findings].sort((a, b) => compareText(rank(a), rank(b)));
}
