import type { LiveBranch } from '#check/branches/branches.ts';
import type { CheckContext, FoundIn } from '#check/context.ts';
import type { FindingBeforePolicy } from '#schema/check-report.ts';
import { breaks } from '#schema/verdict.ts';
import { type FullUnion, mergeMany } from './unions.ts';

/**
 * Two branches may break something that a third one fixes. All together they fit, so the finding does not block and names the third branch.
 * Only problems that linking found can be searched again: `linked` contains their keys.
 */
export async function noteFixes(
  context: CheckContext,
  found: readonly FoundIn[],
  live: readonly LiveBranch[],
  full: FullUnion,
  linked: ReadonlySet<string>,
): Promise<FoundIn[]> {
  if (full.tree === null || full.members.length < 3) return [...found];
  const refs = new Map(full.members.map((index) => [live[index]?.ref ?? '', index]));
  const noted: FoundIn[] = [];
  for (const entry of found) {
    const { finding, problems } = entry.assembled;
    const guilty = finding.branches.map((ref) => refs.get(ref));
    const isCandidate =
      breaks(finding) &&
      guilty.every((index) => index !== undefined) &&
      problems.every(({ key }) => linked.has(key)) &&
      (await isAbsent(context, full.tree, full.tree, problems));
    noted.push(isCandidate ? await withFixer(context, entry, live, full, guilty as number[]) : entry);
  }
  return noted;
}

async function isAbsent(
  context: CheckContext,
  full: string | null,
  tree: string,
  problems: FoundIn['assembled']['problems'],
): Promise<boolean> {
  const union = tree === full ? await context.links.get(tree, '') : await context.trees.get(tree);
  await union.link(problems.map(({ file }) => file));
  return problems.every(
    ({ file, key }) => union.git.blob(file) !== undefined && !union.problemKeys(file).includes(key),
  );
}

async function withFixer(
  context: CheckContext,
  entry: FoundIn,
  live: readonly LiveBranch[],
  full: FullUnion,
  guilty: readonly number[],
): Promise<FoundIn> {
  const fixers: string[] = [];
  for (const index of full.members.filter((member) => !guilty.includes(member))) {
    const { tree } = await mergeMany(context, live, [...guilty, index]);
    if (tree !== null && (await isAbsent(context, full.tree, tree, entry.assembled.problems)))
      fixers.push(live[index]?.ref ?? '');
  }
  const who = fixers[0] ?? 'the other branches together';
  const finding: FindingBeforePolicy = {
    ...entry.assembled.finding,
    severity: 'important',
    message: `${entry.assembled.finding.message}; ${who} fix${fixers[0] === undefined ? '' : 'es'} it`,
    suggestion: `let ${who} land first, or together with ${entry.assembled.finding.branches.join(' and ')}`,
  };
  return { ...entry, assembled: { ...entry.assembled, finding } };
}
