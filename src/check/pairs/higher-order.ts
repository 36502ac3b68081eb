import type { LiveBranch } from '#check/branches/branches.ts';
import type { CheckContext, FoundIn } from '#check/context.ts';
import { assembleFindings } from '#check/findings/findings.ts';
import { showFindings } from '#check/findings/frames.ts';
import { dependsOn, type Member, type ReadMember } from '#check/members/member.ts';
import { newProblems } from '#check/members/union-problems.ts';
import { diagnose } from '#check/rules/detect.ts';
import { type FullUnion, mergeMany } from '#check/unions/unions.ts';
import type { Problem } from '#code/link/problem.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { askAgain } from './ask-again.ts';

/** Problems of the union of all that no pair has: each is blamed on the smallest set of branches that has it. */
export async function higherOrderProblems(
  context: CheckContext,
  live: readonly LiveBranch[],
  sides: readonly Member[],
  full: FullUnion,
  { blamed, suspects }: { readonly blamed: ReadonlySet<string>; readonly suspects: ReadonlySet<string> },
): Promise<FoundIn[]> {
  if (full.tree === null) return [];
  const union = await context.links.get(full.tree, '');
  const members = full.members.flatMap((index) => sides[index] ?? []);
  const paths = [...suspects].filter((path) => members.some(({ changed }) => changed.has(path))).sort();
  const left = (await newProblems(paths, union, members)).filter(
    ({ key, keyed }) => !keyed && !blamed.has(key),
  );
  const found: FoundIn[] = [];
  for (const problem of left) {
    const link = union.linked(problem.file);
    const involved = full.members.filter((index) => {
      const side = sides[index];
      return side && (side.changed.has(problem.file) || (link && dependsOn(link, side)));
    });
    const guilty = await smallestSet(context, live, problem, involved);
    found.push(
      ...(await blame(
        context,
        problem,
        await readLinked(
          guilty.flatMap((index) => sides[index] ?? []),
          problem.file,
        ),
        full.tree,
        union.git,
      )),
    );
  }
  return found;
}

async function readLinked(members: readonly Member[], file: string): Promise<ReadMember[]> {
  const sides = await Promise.all(members.map((member) => member.read()));
  await Promise.all(sides.map(({ tree }) => tree.link([file])));
  return sides;
}

/** Drops members one by one as long as the problem stays: no member of the result can be left out. */
async function smallestSet(
  context: CheckContext,
  live: readonly LiveBranch[],
  problem: Problem,
  involved: readonly number[],
): Promise<number[]> {
  let guilty = [...involved];
  for (const index of involved) {
    if (guilty.length <= 2) break;
    const without = guilty.filter((member) => member !== index);
    const { tree } = await mergeMany(context, live, without);
    if (tree === null) continue;
    const union = await context.trees.get(tree);
    await union.link([problem.file]);
    if (union.linked(problem.file)?.problems.some(({ key }) => key === problem.key)) guilty = without;
  }
  return guilty;
}

async function blame(
  context: CheckContext,
  problem: Problem,
  guilty: readonly ReadMember[],
  unionTree: string,
  union: GitTree,
): Promise<FoundIn[]> {
  const consumer = guilty.find((side) => side.changed.has(problem.file)) ?? guilty[0];
  const others = guilty.filter((side) => side !== consumer);
  // The branch that changed the file lacking the symbol knows what happened to it.
  const lacking = problem.provider.slice(0, problem.provider.lastIndexOf('#'));
  const provider = others.find((side) => side.changed.has(lacking)) ?? others[0];
  if (!consumer || !provider) return [];
  const shown = { tree: unionTree, base: context.base.ref, radius: context.radius };
  const assembled = await askAgain(guilty, async () =>
    assembleFindings([diagnose({ problem, consumer, provider })], shown, guilty),
  );
  return showFindings(assembled, union, context.workspace.objects);
}
