import type { Integration, IntegrationRequest } from './integration.ts';
import { buildReceipt } from './receipt/build-receipt.ts';
import { checkBranches } from './steps/check-branches.ts';
import { checkSiblings, mergeInOrder } from './steps/merge-in-order.ts';
import { checkContract, proveConservation, runTargetGates } from './steps/prove-result.ts';
import { isEnd, StepRecord } from './steps/step-record.ts';

/** Builds the result and proves it, step by step. It moves no ref: `land` does that, with the receipt. */
export async function integrate(request: IntegrationRequest): Promise<Integration> {
  const record = new StepRecord();
  const checked = await checkBranches(request, record);
  if (isEnd(checked)) return checked;
  const merging = await mergeInOrder(request, record, checked.tips);
  if (isEnd(merging)) return merging;
  const { commit } = merging;
  await checkSiblings(request, record, commit);
  const conservation = await proveConservation(request, record, commit);
  if (isEnd(conservation)) return conservation;
  const gates = await runTargetGates(request, record, commit);
  if (isEnd(gates)) return gates;
  const broken = await checkContract(request, record, commit);
  if (broken) return broken;
  const { steps, left, findings } = record;
  const receipt = await buildReceipt(request, merging, { steps, left, findings, ...conservation, ...gates });
  return record.end('ready', { receipt });
}
