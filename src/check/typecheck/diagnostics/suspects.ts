import { dependsOn, type Member } from '#check/members/member.ts';
import type { LinkedTree } from '#code/link/code-tree.ts';
import type { PlacedDiagnostic } from './diagnostic-keys.ts';

/** Tips in the order in which they are likely to have part in a problem. */
export interface Suspects {
  /** Those that changed its file or what that refers to. */
  readonly near: readonly number[];
  /** All: the near ones, then those that changed something it leads to in the end, then the rest. */
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

/** Every file that a file leads to. */
async function importClosure(union: LinkedTree, file: string): Promise<Set<string>> {
  const closure = new Set([file]);
  let open = [file];
  while (open.length > 0 && closure.size < mostFiles) {
    await union.link(open);
    const next = new Set(open.flatMap((path) => [...(union.linked(path)?.trace.names.keys() ?? [])]));
    open = [...next].filter((path) => !closure.has(path));
    for (const path of open) closure.add(path);
  }
  return closure;
}
