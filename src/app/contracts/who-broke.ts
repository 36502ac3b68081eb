import { judgeContract } from '#contract/judge/judge-contract.ts';
import type { Judged } from '#contract/judge/judged.ts';
import { treeOf } from '#git/merges/branches.ts';
import { GitTree } from '#git/trees/tree.ts';
import type { Contract } from '#schema/contract.ts';
import { itemStatuses } from '#schema/contract-report.ts';
import { readModel } from './read-model.ts';
import type { Union } from './union-room.ts';

type Items = ReadonlyMap<string, Judged>;

/**
 * Names the branches that made an item worse than it was where they forked: a removal leaves no line in the union
 * to point at. If every branch alone is as good as before and only the union is worse, no branch is named.
 */
export async function whoBroke(
  union: Union,
  contract: Contract,
  judged: readonly Judged[],
): Promise<(item: Judged) => string[]> {
  const { git, base, branches, excluded } = union;
  if (judged.every(({ status }) => status === 'satisfied')) return () => [];
  const known = new Map<string, Promise<Items>>();
  const itemsAt = (commit: string) => {
    const items = known.get(commit) ?? itemsOf(union, contract, commit);
    known.set(commit, items);
    return items;
  };
  const versions: { ref: string; before: Items; after: Items }[] = [];
  for (const { ref, commit } of branches) {
    if (excluded.some((each) => each.ref === ref)) continue;
    const start = await git.text(['merge-base', base.commit, commit]);
    versions.push({ ref, before: await itemsAt(start), after: await itemsAt(commit) });
  }
  return (item) =>
    versions.flatMap(({ ref, before, after }) =>
      isWorse(before.get(keyOf(item)), after.get(keyOf(item))) ? [ref] : [],
    );
}

async function itemsOf({ git, objects }: Union, contract: Contract, commit: string): Promise<Items> {
  const tree = await GitTree.read(git, await treeOf(git, commit));
  const model = await readModel({ git, objects, tree }, contract);
  return new Map(judgeContract(contract, model).map((item) => [keyOf(item), item]));
}

function keyOf({ kind, name }: Judged): string {
  return JSON.stringify([kind, name]);
}

/** An item that had gaps before and has different gaps now keeps its status, but is still worse. */
function isWorse(before: Judged | undefined, after: Judged | undefined): boolean {
  if (!before || !after || after.status === 'satisfied' || before.status === 'missing') return false;
  const rank = ({ status }: Judged) => itemStatuses.indexOf(status);
  if (rank(after) !== rank(before)) return rank(after) > rank(before);
  const gaps = new Set(before.detail.split('; '));
  return after.detail.split('; ').some((gap) => !gaps.has(gap));
}
