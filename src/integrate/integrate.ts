import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Integration, IntegrationRequest } from './integration.ts';
import { buildReceipt } from './receipt/build-receipt.ts';
import { checkBranches } from './steps/check-branches.ts';
import { checkSiblings, mergeInOrder } from './steps/merge-in-order.ts';
import { checkContract, proveConservation, runTargetGates } from './steps/prove-result.ts';
import { isRetry, proveSuite, type Retry } from './steps/prove-suite.ts';
import { isEnd, StepRecord } from './steps/step-record.ts';

/** Builds the result and proves it, step by step. It moves no ref: `land` does that, with the receipt. */
export async function integrate(request: IntegrationRequest): Promise<Integration> {
  const record = new StepRecord();
  const checked = await checkBranches(request, record);
  if (isEnd(checked)) return checked;
  const done = record.steps.length;
  for (let { tips } = checked; ; ) {
    const proven = await proveTogether(request, record, tips);
    if (!isRetry(proven)) return proven;
    // Without the guilty branches everything is another result.
    record.steps.length = done;
    tips = proven.tips;
  }
}

async function proveTogether(
  request: IntegrationRequest,
  record: StepRecord,
  tips: readonly BranchTip[],
): Promise<Integration | Retry> {
  const merging = await mergeInOrder(request, record, tips);
  if (isEnd(merging)) return merging;
  const { commit } = merging;
  await checkSiblings(request, record, commit);
  const conservation = await proveConservation(request, record, commit);
  if (isEnd(conservation)) return conservation;
  const gates = await runTargetGates(request, record, commit);
  if (isEnd(gates)) return gates;
  const suite = await proveSuite(request, record, commit);
  if (isRetry(suite) || isEnd(suite)) return suite;
  const broken = await checkContract(request, record, commit);
  if (broken) return broken;
  const { steps, left, findings } = record;
  const evidence = [...gates.evidence, ...suite.evidence];
  const receipt = await buildReceipt(request, merging, {
    ...{ steps, left, findings, unrun: suite.unrun, evidence },
    ...conservation,
  });
  return record.end('ready', { receipt, unrun: suite.unrun });
}
