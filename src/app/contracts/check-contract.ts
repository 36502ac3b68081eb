import { contractDigest } from '#contract/change/digest.ts';
import { judgeContract } from '#contract/judge/judge-contract.ts';
import type { Contract } from '#schema/contract.ts';
import {
  type ContractItem,
  type ContractReport,
  type ItemStatus,
  itemStatuses,
} from '#schema/contract-report.ts';
import { readModel } from './read-model.ts';
import type { Union } from './union-room.ts';
import { whoBroke } from './who-broke.ts';
import { whoBrought } from './who-brought.ts';

/** Compares a contract with the union of branches. */
export async function checkContract(union: Union, contract: Contract, path: string): Promise<ContractReport> {
  const model = await readModel(union, contract);
  const judged = judgeContract(contract, model);
  const evidenceOf = await whoBrought(
    union,
    judged.flatMap(({ evidence }) => evidence),
  );
  const breakersOf = await whoBroke(union, contract, judged);
  const items = judged.map((item) => ({
    ...item,
    evidence: item.evidence.map(evidenceOf),
    brokenBy: item.status === 'satisfied' ? [] : breakersOf(item),
  }));
  const { base, branches, excluded, tree } = union;
  const unread = [...model.files].flatMap(([file, { problem }]) =>
    problem === null ? [] : [{ file, reason: problem }],
  );
  return {
    schema: 'joinery/contract-check@1',
    status: contract.entities.length === 0 ? 'fail' : statusOf(items, excluded.length > 0),
    contract: { path, sha256: contractDigest(contract) },
    base: { ref: base.ref, commit: base.commit },
    branches: branches.map(({ ref, commit }) => ({ ref, commit })),
    union: { tree: tree.id, excluded: excluded.map(({ ref, paths }) => ({ ref, paths: [...paths] })) },
    items,
    counts: Object.fromEntries(
      itemStatuses.map((status) => [status, items.filter((item) => item.status === status).length]),
    ) as Record<ItemStatus, number>,
    inconclusive: [
      ...excluded.map(({ ref, paths }) => ({
        reason: `${ref} does not merge with what came before it: ${paths.join(', ')}`,
      })),
      ...unread,
    ],
  };
}

/** A branch that is missing from the union may contain what the contract lacks: inconclusive. */
function statusOf(items: readonly ContractItem[], isIncomplete: boolean): ContractReport['status'] {
  if (isIncomplete) return 'inconclusive';
  if (items.some(({ status }) => status !== 'satisfied' && status !== 'undecided')) return 'fail';
  return items.some(({ status }) => status === 'undecided') ? 'inconclusive' : 'pass';
}
