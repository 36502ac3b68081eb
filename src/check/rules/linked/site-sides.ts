import type { ReadMember } from '#check/members/member.ts';
import type { SeamProblem } from '#check/members/union-problems.ts';
import { symbolPath } from '#code/facts/facts-index.ts';

/** The branch of each site, in the order of the file: one site of a duplicate belongs to the other branch. */
export function siteSides({ problem, consumer, provider }: SeamProblem): ReadMember[] {
  if (problem.kind !== 'duplicate-definition' && problem.kind !== 'duplicate-key') return [consumer];
  const name = problem.provider.slice(problem.file.length + 1);
  const lineIn = (side: ReadMember) =>
    side.tree.facts(problem.file)?.definitions.find((definition) => symbolPath(definition) === name)?.line ??
    0;
  return lineIn(consumer) <= lineIn(provider) ? [consumer, provider] : [provider, consumer];
}
