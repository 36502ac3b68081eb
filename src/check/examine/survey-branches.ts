import { passingVersions } from '#check/branches/passing-versions.ts';
import type { CheckContext, FoundIn } from '#check/context.ts';
import { assembleFindings } from '#check/findings/findings.ts';
import { showFindings } from '#check/findings/frames.ts';
import { describeMember } from '#check/members/describe-member.ts';
import type { Member } from '#check/members/member.ts';
import { detectInSurvey } from '#check/rules/detect.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import { newsThatMeet } from '#check/rules/survey/news-that-meet.ts';
import { cachedData, NewsReader } from '#check/rules/survey/read-news.ts';
import { allKinds, type FileNews } from '#check/rules/survey/readings.ts';
import { isSameAddition } from '#check/rules/survey/same-addition.ts';
import type { Sighting, Spot, Survey, SurveyedBranch } from '#check/rules/survey/survey.ts';
import { readText } from '#check/rules/text/read-text.ts';
import type { FullUnion } from '#check/unions/unions.ts';
import { mayHoldData } from '#code/formats/index.ts';
import { compareTrees } from '#git/trees/compare-trees.ts';
import type { Change } from '#git/trees/tree.ts';
import { paceOf } from '#lib/pace.ts';

/**
 * Runs the rules that look at all branches at once and, where base has moved, at base beside each branch. Also returns the other findings,
 * without those that became part of a new one.
 */
export async function surveyBranches(
  context: CheckContext,
  sides: readonly Member[],
  full: FullUnion,
  others: readonly FoundIn[],
): Promise<FoundIn[]> {
  const found: FoundIn[] = [];
  let left = others;
  for await (const survey of surveysOf(context, sides, full)) {
    if (survey.sides.length === 0) continue;
    for await (const { sighting, givesWay, diagnose } of detectInSurvey(survey)) {
      if (givesWay && isTold(sighting, [...left, ...found])) continue;
      if (await isOneAddition(survey, sighting)) continue;
      const same = left.filter((each) => isSameCause(sighting, each));
      left = left.filter((each) => !same.includes(each));
      const whole = same.reduce(withSitesOf(survey.sides), sighting);
      const news = await showSighting(context, survey.union?.id ?? null, whole, () => diagnose(whole));
      const known = new Set(found.map(({ assembled: { finding } }) => finding.id));
      found.push(...news.filter(({ assembled: { finding } }) => !known.has(finding.id)));
    }
  }
  return [...left, ...found];
}

/** The sides meet at a line that both have added in the same place. */
async function isOneAddition(survey: Survey, { provider, sites, isOfOneThing }: Sighting): Promise<boolean> {
  const { file, line } = provider;
  if (isOfOneThing || provider.removed || sites.some((site) => site.file !== file)) return false;
  const textOf = ({ tree }: { readonly tree: Survey['from'] }) => survey.read(tree, file);
  const [own, union] = [await textOf(provider.side), survey.union && (await textOf({ tree: survey.union }))];
  for (const site of sites) {
    const other = await textOf(site.side);
    if (own === null || other === null) return false;
    if (!isSameAddition({ text: own, line }, { text: other, line: site.line }, union)) return false;
  }
  return true;
}

/** The finding concerns one of the symbols of a sighting, between the same branches. */
function isSameCause(
  { symbols = [], provider, sites }: Sighting,
  { assembled: { finding } }: FoundIn,
): boolean {
  const refs = new Set([provider, ...sites].map(({ side }) => side.ref));
  return (
    finding.branches.length === refs.size &&
    finding.branches.every((ref) => refs.has(ref)) &&
    finding.sites.some(({ role, symbol }) => role === 'provider' && symbols.includes(symbol))
  );
}

/** A proof for the symbol is a proof for the whole. */
function withSitesOf(sides: readonly SurveyedBranch[]): (sighting: Sighting, found: FoundIn) => Sighting {
  return (sighting, { assembled: { finding } }) => {
    const known = new Set(sighting.sites.map(({ file, line }) => `${file}:${line}`));
    const more = finding.sites.flatMap(({ role, branch, file, line, symbol }): Spot[] => {
      const side = sides.find(({ ref }) => ref === branch);
      const isNew = role === 'consumer' && !known.has(`${file}:${line}`);
      known.add(`${file}:${line}`);
      return side && isNew ? [{ side, file, line, name: symbol.slice(symbol.indexOf('#') + 1) }] : [];
    });
    return {
      ...sighting,
      sites: [sighting.sites[0], ...sighting.sites.slice(1), ...more],
      confidence: finding.confidence === 'proven' ? 'proven' : sighting.confidence,
    };
  };
}

/** A sighting as a finding. */
export async function showSighting(
  { base, radius, workspace }: CheckContext,
  union: string | null,
  { sites }: Sighting,
  diagnose: () => Promise<DiagnosedProblem>,
): Promise<FoundIn[]> {
  const guilty = await Promise.all(sites.slice(1).map(({ side }) => side.member()));
  const assembled = await assembleFindings(
    [await diagnose()],
    { tree: union, base: base.ref, radius },
    guilty,
  );
  return showFindings(assembled, null, workspace.objects);
}

/** One after the other: what a survey has read is large where base has moved far, and is let go before the next. */
async function* surveysOf(
  context: CheckContext,
  sides: readonly Member[],
  full: FullUnion,
): AsyncGenerator<Survey> {
  const news = new NewsReader(context);
  const own = sides.map((side) => sideOf(side, ownNews(news, side.changes), async () => side));
  const from = (await context.trees.get(context.base.tree)).git;
  const isWhole = full.members.length === sides.length && full.tree !== null;
  const union = isWhole && full.tree !== null ? (await context.trees.get(full.tree)).git : null;
  yield surveyOf(context, own, from, union);
  yield* onSharedGrounds(context, news, sides, union);
  yield* baseBesideBranches(context, news);
  news.save();
}

/** Branches that share commits beyond base, grouped by these commits, whose changes count for neither side. */
async function* onSharedGrounds(
  context: CheckContext,
  news: NewsReader,
  sides: readonly Member[],
  union: Survey['union'],
): AsyncGenerator<Survey> {
  const { history, grounds, trees } = context;
  const groups = new Map<string, { readonly members: Set<Member>; readonly pairs: Set<string> }>();
  for (const [index, a] of sides.entries())
    for (const b of sides.slice(index + 1)) {
      if (history.relation(a.commit, b.commit) !== 'sharing') continue;
      const ground = await grounds.between(a, b);
      const group = groups.get(ground) ?? { members: new Set(), pairs: new Set() };
      groups.set(ground, group);
      for (const side of [a, b]) group.members.add(side);
      group.pairs.add(pairOf(a, b));
    }
  for (const [ground, { members, pairs }] of groups) {
    const wanted = [...members].map(({ tree }) => ({ ground, tree: tree.git.id }));
    const changes = await grounds.changes(wanted);
    const own = [...members].map((side, index) => {
      const since = changes[index] ?? [];
      return sideOf({ ...side, changes: since }, ownNews(news, since), () =>
        describeMember(context, { ...side, tree: side.tree.git.id }, ground, since),
      );
    });
    const isApart: Survey['isApart'] = (a, b) => pairs.has(pairOf(a, b));
    yield { ...surveyOf(context, own, (await trees.get(ground)).git, union), isApart };
    news.save();
  }
}

function pairOf(a: { readonly ref: string }, b: { readonly ref: string }): string {
  return JSON.stringify([a.ref, b.ref].sort());
}

/** The changes of base since a branch forked, beside that branch. Base may have changed much: only what can meet the branch is read. */
async function* baseBesideBranches(context: CheckContext, news: NewsReader): AsyncGenerator<Survey> {
  const { base, workspace, trees } = context;
  const moved = context.branches.filter(
    ({ state, baseMerge }) => (state === 'checked' || state === 'conflicted') && baseMerge !== null,
  );
  const forks = [...new Set(moved.map(({ mergeBaseTree }) => mergeBaseTree))];
  const changes = await compareTrees(
    workspace,
    forks.map((fork) => [fork, base.tree] as const),
    { renames: true },
  );
  await trees.compare([...forks, ...moved.map(({ tree }) => tree)]);
  const passing = await passingVersions(context);
  const pace = paceOf(moved.length);
  let done = 0;
  for (const [index, fork] of forks.entries()) {
    const ofFork = changes[index] ?? [];
    const side = async (
      wanted: Pick<Member, 'ref' | 'commit' | 'isBase'> & { readonly tree: string },
      own: readonly Change[],
      read: () => Promise<ReadonlyMap<string, FileNews>>,
    ) =>
      sideOf({ ...wanted, changes: own, tree: await trees.get(wanted.tree) }, read, () =>
        describeMember(context, wanted, fork, own),
      );
    for (const branch of moved) {
      if (branch.mergeBaseTree !== fork) continue;
      context.progress(`comparing names of ${branch.ref} with ${base.ref}${pace(done++)}`);
      const union = branch.merged ? (await trees.get(branch.merged.tree)).git : null;
      const own = await side({ ...branch, isBase: false }, branch.changes, ownNews(news, branch.changes));
      const ofBase = await side({ ...base, isBase: true }, ofFork, async () =>
        newsThatMeet(news, ofFork, await own.news()),
      );
      yield surveyOf(context, [ofBase, own], (await trees.get(fork)).git, union);
    }
    context.reader.forget(passing(ofFork));
    news.save();
    context.keepAnswers();
  }
}

function ownNews(news: NewsReader, changes: readonly Change[]): () => Promise<ReadonlyMap<string, FileNews>> {
  return () => news.read(changes, allKinds);
}

/** `read` is called once, if at all. */
export function sideOf(
  { ref, isBase, tree, changes }: Pick<Member, 'ref' | 'isBase' | 'tree' | 'changes'>,
  read: () => Promise<ReadonlyMap<string, FileNews>>,
  member: () => Promise<Member>,
): SurveyedBranch {
  let news: Promise<ReadonlyMap<string, FileNews>> | undefined;
  return {
    ref,
    isBase,
    tree: tree.git,
    changes,
    member,
    news: () => {
      news ??= read();
      return news;
    },
  };
}

function surveyOf(
  { workspace, words, history, branches, outcomes }: CheckContext,
  sides: readonly SurveyedBranch[],
  from: Survey['from'],
  union: Survey['union'],
): Survey {
  const commits = new Map(branches.map(({ ref, commit }) => [ref, commit]));
  return {
    sides,
    from,
    union,
    read: (tree, path) => readText(workspace, tree.blob(path)),
    data: async (tree, path) => {
      const blob = tree.blob(path);
      if (blob === undefined || !mayHoldData(path)) return null;
      return cachedData(outcomes, path, blob, (await readText(workspace, blob)) ?? '');
    },
    holding: (tree, asked) => words.holding(tree, asked),
    holders: (tree, asked) => words.holders(tree, asked),
    isHeldBeside: (tree, asked, paths, samples) => words.isHeldBeside(tree, asked, paths, samples),
    isApart: (a, b) => {
      const [left, right] = [commits.get(a.ref), commits.get(b.ref)];
      if (a.isBase || b.isBase || left === undefined || right === undefined) return true;
      return history.relation(left, right) === 'apart';
    },
  };
}

/** Another finding between the same branches reports the same thing. */
function isTold({ subject, provider, sites }: Sighting, findings: readonly FoundIn[]): boolean {
  return findings.some(({ assembled: { finding } }) => {
    const isBetween = [provider, ...sites].every(({ side }) => finding.branches.includes(side.ref));
    if (!isBetween) return false;
    const { message, suggestion } = finding;
    const texts = [message, suggestion, ...finding.sites.map(({ symbol }) => symbol)];
    return [subject].flat().some((name) => texts.some((text) => text.includes(name)));
  });
}
