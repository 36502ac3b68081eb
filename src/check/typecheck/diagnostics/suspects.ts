import { dependsOn, type Member } from '#check/members/member.ts';
import type { LinkedTree } from '#code/link/code-tree.ts';
import { reachableInRounds } from '#lib/graph.ts';
import type { PlacedDiagnostic } from './diagnostic-keys.ts';

/** Branches, ordered by how likely they are to cause a problem. */
export interface Suspects {
  /** Those that changed its file or something that file refers to. */
  readonly near: readonly number[];
  /** All: the near ones, then those that changed something it depends on indirectly, then the rest. */
  all(): Promise<readonly number[]>;
}

/** `brings`: whether a side's version of the file has the line of the problem. */
export async function suspectsOf(
  { file }: PlacedDiagnostic,
  union: LinkedTree,
  members: readonly number[],
  sides: readonly Member[],
  brings: (side: Member) => Promise<boolean>,
): Promise<Suspects> {
  await union.link([file]);
  const link = union.linked(file);
  const ranks = new Map<number, number>();
  for (const index of members) {
    const side = sides[index];
    if (side?.changed.has(file)) ranks.set(index, (await brings(side)) ? 0 : 1);
    else if (side && link && dependsOn(link, side)) ranks.set(index, 2);
  }
  const near = [...ranks].sort(([a, x], [b, y]) => x - y || a - b).map(([index]) => index);
  return {
    near,
    async all() {
      const closure = await importClosure(union, file);
      const far = members.filter((index) => !ranks.has(index));
      const leadsTo = (index: number) => sides[index]?.changes.some(({ path }) => closure.has(path)) ?? false;
      return [...near, ...far.filter(leadsTo), ...far.filter((index) => !leadsTo(index))];
    },
  };
}

const mostFiles = 5000;

/** Every file that a file depends on, directly or indirectly. */
export async function importClosure(union: LinkedTree, file: string): Promise<ReadonlyMap<string, unknown>> {
  const importedBy = async (paths: readonly string[]) => {
    await union.link([...paths]);
    return paths.flatMap((path) =>
      [...(union.linked(path)?.trace.names.keys() ?? [])].map((imported) => [imported, path] as const),
    );
  };
  return reachableInRounds([file], importedBy, mostFiles);
}
