import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Integration, IntegrationRequest } from '#integrate/integration.ts';
import { largestCoherentSet } from '#integrate/merge/largest-set.ts';
import { outermostOf } from '#integrate/merge/outermost.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { LeftBranch } from '#schema/integration.ts';
import { gapIn } from '#schema/verdict.ts';
import { holdingIn, knownFindings } from './read-check.ts';
import { count, type StepRecord } from './step-record.ts';

/** Runs `joinery check` on the commits that would land; gives the branches to merge, in this order. */
export async function checkBranches(
  request: IntegrationRequest,
  record: StepRecord,
): Promise<{ readonly tips: readonly BranchTip[] } | Integration> {
  request.progress('checking the branches');
  const { report, blocking, wanted } = await checkOutermost(request);
  record.findings = knownFindings(report);
  const unknown = gapIn(report);
  if (unknown !== null) {
    record.add('check', 'undecided', unknown);
    return record.end('undecided');
  }
  for (const { ref } of request.branches.filter((tip) => !wanted.includes(tip)))
    record.left.push(whyLeft(ref, blocking));
  if (blocking.length > 0 && !request.isPartial) {
    const isText = blocking.every(({ rule }) => rule === 'T01');
    const messages = blocking.map(({ message }) => message).join('; ');
    // The tests of the result may judge them.
    if (blocking.every(({ effect }) => effect === 'asks')) {
      record.asking = blocking;
      record.add('check', 'warn', `${count(blocking.length, 'finding')} for the tests to judge: ${messages}`);
      return { tips: wanted };
    }
    const found = isText ? '' : `${count(blocking.length, 'blocking finding')}: `;
    record.add(isText ? 'merge' : 'check', 'fail', `${found}${messages}`);
    return record.end(isText ? 'conflict' : 'blocked');
  }
  const fits = wanted.length === 1 ? '1 branch fits its target' : `${wanted.length} branches fit together`;
  const told = record.findings.filter(({ branches }) =>
    branches.every((ref) => ref === request.target.ref || wanted.some((tip) => tip.ref === ref)),
  ).length;
  record.add('check', 'pass', told === 0 ? fits : `${fits}; ${count(told, 'finding')} to look at`);
  return wanted.length === 0 ? record.end('nothing') : { tips: wanted };
}

interface Checked {
  readonly report: CheckReport;
  readonly blocking: readonly Finding[];
  /** The branches to merge, in this order. */
  readonly wanted: readonly BranchTip[];
}

/**
 * A branch that another one is built on is merged with that one, which may correct it: only the outermost branches are
 * checked. If parts may land, the inner one is checked when the outer one is excluded.
 */
async function checkOutermost(request: IntegrationRequest): Promise<Checked> {
  const { target, isPartial } = request;
  let branches = request.branches;
  const found: Finding[] = [];
  for (;;) {
    const outer = await outermostOf(request.git, branches);
    const report = await request.check(target, outer);
    const blocking = holdingIn(report, request.resolve !== null);
    const chosen = inCheckedOrder(outer, report, isPartial ? blocking : []);
    found.push(...blocking);
    const isOut = (tip: BranchTip) => outer.includes(tip) && !chosen.includes(tip);
    const inner = branches.filter((tip) => !outer.includes(tip));
    const out = branches.filter(isOut);
    if (inner.length === 0 || out.length === 0 || !isPartial)
      return { report, blocking: found, wanted: [...chosen, ...inner] };
    branches = branches.filter((tip) => !isOut(tip));
  }
}

/** All findings about a branch that does not land. */
function whyLeft(ref: string, blocking: readonly Finding[]): LeftBranch {
  const about = blocking.filter(({ branches, alsoIn }) => branches.includes(ref) || alsoIn?.includes(ref));
  return about.length === 0
    ? { ref, reason: 'it has nothing to land', isEmpty: true }
    : { ref, reason: about.map(({ message }) => message).join('; ') };
}

/** The largest set that fits together, in the order that `check` proved, where it proved one. */
function inCheckedOrder(
  branches: readonly BranchTip[],
  { landable, branches: checked }: CheckReport,
  blocking: readonly Finding[],
): BranchTip[] {
  const hasWork = new Set(
    checked.filter(({ state }) => state === 'checked' || state === 'conflicted').map(({ ref }) => ref),
  );
  const live = branches.filter(({ ref }) => hasWork.has(ref));
  const coherent = largestCoherentSet(
    live.map(({ ref }) => ref),
    blocking,
  );
  const chosen = live.filter(({ ref }) => coherent.includes(ref));
  const rank = (tip: BranchTip) => {
    const at = landable.indexOf(tip.ref);
    return at < 0 ? landable.length : at;
  };
  return chosen.toSorted((a, b) => rank(a) - rank(b));
}
