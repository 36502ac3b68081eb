import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Integration, IntegrationRequest } from '#integrate/integration.ts';
import { type MergedBranches, mergeBranches } from '#integrate/merge/merge-branches.ts';
import { resolvedApart } from '#integrate/merge/resolved-apart.ts';
import { gapIn } from '#schema/verdict.ts';
import { blockedBranches, holdingIn, stoppingIn } from './read-check.ts';
import { count, type StepRecord } from './step-record.ts';

/** Merges the branches one after the other; the remaining ones are checked again after each merge. */
export async function mergeInOrder(
  request: IntegrationRequest,
  record: StepRecord,
  tips: readonly BranchTip[],
): Promise<MergedBranches | Integration> {
  request.progress('merging');
  const { target } = request;
  const findHolding = record.asking.length > 0 ? stoppingIn : holdingIn;
  const merging = await mergeBranches({
    git: request.git,
    onto: target.commit,
    tips,
    at: request.at,
    resolve: request.resolve,
    recheck: async (head, rest) => {
      const again = await request.check({ ref: target.ref, commit: head }, rest);
      return {
        refused: blockedBranches(again, findHolding(again, request.resolve !== null)),
        unclear: gapIn(again),
      };
    },
  });
  const { commit, merged, resolved, unclear } = merging;
  if (unclear !== null) {
    record.add('siblings', 'undecided', unclear);
    return record.end('undecided');
  }
  const refused = [...merging.conflicts, ...merging.blocked];
  for (const { tip, reason } of refused) record.left.push({ ref: tip.ref, reason });
  if (refused.length > 0 && !request.isPartial) {
    const isText = merging.conflicts.length > 0;
    const reasons = refused.map(({ tip, reason }) => `${tip.ref}: ${reason}`).join('; ');
    record.add(isText ? 'merge' : 'siblings', 'fail', reasons);
    return record.end(isText ? 'conflict' : 'blocked');
  }
  record.merged = merged;
  if (commit === target.commit) return record.end('nothing');
  const how = resolved.length > 0 ? `; an integrator resolved ${resolved.join(', ')}` : '';
  record.add('merge', 'pass', `${count(merged.length, 'branch', 'branches')} merged${how}`);
  return (await checkResolution(request, record, merging)) ?? merging;
}

/** What an integrator wrote must fit everything else; null when it does. */
async function checkResolution(
  { target, git, folder, at, check }: IntegrationRequest,
  record: StepRecord,
  { commit, resolved, resolvedPaths }: MergedBranches,
): Promise<Integration | null> {
  if (resolved.length === 0) return null;
  const written = await check(
    target,
    await resolvedApart(git, folder, { onto: target.commit, commit, paths: resolvedPaths, at }),
  );
  const against = holdingIn(written, false);
  const doubt = gapIn(written);
  if (against.length > 0) {
    record.add(
      'check',
      'fail',
      `the resolution does not fit: ${against.map(({ message }) => message).join('; ')}`,
    );
    return record.end('blocked');
  }
  if (doubt === null) return null;
  record.add('check', 'undecided', `the resolution: ${doubt}`);
  return record.end('undecided');
}

/** Excluded branches do not block the rest, but the next landing has to know about them. */
export async function checkSiblings(
  { target, branches, check }: IntegrationRequest,
  record: StepRecord,
  commit: string,
): Promise<void> {
  const others = branches.filter((tip) => !record.merged.includes(tip));
  if (others.length === 0) return;
  const again = await check({ ref: target.ref, commit }, others);
  const against = holdingIn(again, false).length;
  const status = gapIn(again) !== null ? 'undecided' : against > 0 ? 'warn' : 'pass';
  record.add('siblings', status, `${count(against, 'finding')} against what stays behind`);
}
