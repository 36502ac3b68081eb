import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Git } from '#git/call/git.ts';
import { treeOf } from '#git/merges/branches.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { Decision, IntegrationStep, LeftBranch, Loss, Receipt } from '#schema/integration.ts';
import { conserve } from './conserve/conserve.ts';
import { largestCoherentSet } from './merge/largest-set.ts';
import { type MergeRequest, mergeBranches } from './merge/merge-branches.ts';
import { outermostOf } from './merge/outermost.ts';
import { resolvedApart } from './merge/resolved-apart.ts';

export interface IntegrationRequest {
  /** Writes commits into the repository; moves no ref. */
  readonly git: Git;
  /** A repository of our own that sees the same objects: for merges that are only asked about. */
  readonly scratch: Git;
  /** Where files of ours may lie for a moment. */
  readonly folder: string;
  readonly id: string;
  readonly target: BranchTip;
  /** In the order in which they are to land. */
  readonly branches: readonly BranchTip[];
  /** What fits may land without the rest. */
  readonly isPartial: boolean;
  readonly decisions: readonly Decision[];
  /** `joinery check` on exactly these commits. */
  check(base: BranchTip, branches: readonly BranchTip[]): Promise<CheckReport>;
  /** Asked about text conflicts; null: they stay conflicts. */
  readonly resolve: MergeRequest['resolve'];
  /** The gates of the target on a commit; null when it defines none. */
  gates(commit: string): Promise<Receipt['evidence'] | null>;
  /** The tasks that a branch holds the work of; undefined outside of a run. */
  readonly tasksOf?: ((ref: string) => readonly string[]) | undefined;
  /** The contract between the branches, held against a commit that holds these; null when there is none. */
  contract(
    commit: string,
    merged: readonly BranchTip[],
  ): Promise<Pick<IntegrationStep, 'status' | 'detail'> | null>;
  readonly at: string;
  readonly progress: (text: string) => void;
}

export interface Integration {
  readonly status: 'ready' | 'blocked' | 'conflict' | 'lost' | 'inconclusive' | 'nothing';
  readonly steps: readonly IntegrationStep[];
  readonly merged: readonly BranchTip[];
  readonly left: readonly LeftBranch[];
  readonly lost: readonly Loss[];
  /** Set when it is ready to land. */
  readonly receipt: Receipt | null;
}

/** Builds what would land and proves it. Nothing moves: `land` does that, with the receipt. */
export async function integrate(request: IntegrationRequest): Promise<Integration> {
  const steps: IntegrationStep[] = [];
  const left: LeftBranch[] = [];
  const { target, branches, isPartial } = request;
  const end = (status: Integration['status'], more: Partial<Integration> = {}): Integration => ({
    status,
    steps,
    merged: [],
    left,
    lost: [],
    receipt: null,
    ...more,
  });
  const pass = (name: IntegrationStep['name'], detail: string) =>
    steps.push({ name, status: 'pass', detail });
  const fail = (name: IntegrationStep['name'], detail: string) =>
    steps.push({ name, status: 'fail', detail });

  request.progress('checking the branches');
  const { report, blocking, wanted } = await checkOutermost(request);
  const unknown = unclearIn(report);
  if (unknown !== null) {
    steps.push({ name: 'check', status: 'inconclusive', detail: unknown });
    return end('inconclusive');
  }
  for (const { ref } of branches.filter((tip) => !wanted.includes(tip))) left.push(whyLeft(ref, blocking));
  if (blocking.length > 0 && !isPartial) {
    const isText = blocking.every(({ rule }) => rule === 'T01');
    fail(
      isText ? 'merge' : 'check',
      `${isText ? '' : `${count(blocking.length, 'blocking finding')}: `}${blocking.map(({ message }) => message).join('; ')}`,
    );
    return end(isText ? 'conflict' : 'blocked');
  }
  pass('check', wanted.length === 1 ? '1 branch fits its target' : `${wanted.length} branches fit together`);
  if (wanted.length === 0) return end('nothing');

  request.progress('merging');
  const merging = await mergeBranches({
    git: request.git,
    onto: target.commit,
    tips: wanted,
    at: request.at,
    resolve: request.resolve,
    recheck: async (head, rest) => {
      const again = await request.check({ ref: target.ref, commit: head }, rest);
      return {
        refused: blockedBranches(again, blockingIn(again, request.resolve !== null)),
        unclear: unclearIn(again),
      };
    },
  });
  const { commit, merged, resolved, unclear } = merging;
  if (unclear !== null) {
    steps.push({ name: 'siblings', status: 'inconclusive', detail: unclear });
    return end('inconclusive');
  }
  const refused = [...merging.conflicts, ...merging.blocked];
  for (const { tip, reason } of refused) left.push({ ref: tip.ref, reason });
  if (refused.length > 0 && !isPartial) {
    fail(
      merging.conflicts.length > 0 ? 'merge' : 'siblings',
      refused.map(({ tip, reason }) => `${tip.ref}: ${reason}`).join('; '),
    );
    return end(merging.conflicts.length > 0 ? 'conflict' : 'blocked');
  }
  if (commit === target.commit) return end('nothing', { merged });
  const how = resolved.length > 0 ? `; an integrator resolved ${resolved.join(', ')}` : '';
  pass('merge', `${count(merged.length, 'branch', 'branches')} merged${how}`);
  if (resolved.length > 0) {
    const apart = { onto: target.commit, commit, paths: merging.resolvedPaths, at: request.at };
    const written = await request.check(target, await resolvedApart(request.git, request.folder, apart));
    const against = blockingIn(written, false);
    const doubt = unclearIn(written);
    if (against.length > 0) {
      fail('check', `the resolution does not fit: ${against.map(({ message }) => message).join('; ')}`);
      return end('blocked', { merged });
    }
    if (doubt !== null) {
      steps.push({ name: 'check', status: 'inconclusive', detail: `the resolution: ${doubt}` });
      return end('inconclusive', { merged });
    }
  }

  const others = branches.filter((tip) => !merged.includes(tip));
  if (others.length > 0) {
    const again = await request.check({ ref: target.ref, commit }, others);
    const against = again.findings.filter(({ severity }) => severity === 'blocking').length;
    // Branches that stay behind do not block the rest, but the next landing has to know about them.
    steps.push({
      name: 'siblings',
      status: again.status === 'inconclusive' ? 'inconclusive' : against > 0 ? 'warn' : 'pass',
      detail: `${count(against, 'blocking finding')} against what stays behind`,
    });
  }

  request.progress('looking for lost work');
  const { lost, superseded, conserved } = await conserve(
    request.scratch,
    target.commit,
    merged,
    commit,
    request.decisions,
  );
  if (lost.length > 0) {
    fail('conservation', `${count(lost.length, 'change')} of the branches not in the result`);
    return end('lost', { merged, lost });
  }
  const entities = [...conserved.values()].reduce((sum, each) => sum + each.entities.length, 0);
  pass(
    'conservation',
    `${count(entities, 'added or changed entity', 'added or changed entities')} in the result${superseded.length > 0 ? `, ${superseded.length} superseded` : ''}`,
  );

  request.progress('running the gates');
  const evidence = await request.gates(commit);
  if (evidence === null)
    steps.push({ name: 'gates', status: 'skipped', detail: 'the target defines no gates' });
  else {
    const bad = evidence.filter(({ status }) => status !== 'pass' && status !== 'warn');
    const detail = evidence.map(({ gate, status }) => `${gate} ${status}`).join(', ');
    if (bad.length > 0) {
      const isUnclear = bad.every(({ status }) => status === 'inconclusive' || status === 'skipped');
      steps.push({ name: 'gates', status: isUnclear ? 'inconclusive' : 'fail', detail });
      return end(isUnclear ? 'inconclusive' : 'blocked', { merged });
    }
    pass('gates', detail);
  }
  const kept = await request.contract(commit, merged);
  steps.push({ name: 'contract', ...(kept ?? { status: 'skipped', detail: 'there is none' }) });
  if (kept?.status === 'fail') return end('blocked', { merged });
  if (kept?.status === 'inconclusive') return end('inconclusive', { merged });

  const tree = await treeOf(request.git, commit);
  const receipt: Receipt = {
    schema: 'joinery/receipt@1',
    id: request.id,
    target: { ref: target.ref, before: target.commit, tree: await treeOf(request.git, target.commit) },
    integration: { commit, tree },
    branches: await Promise.all(
      merged.map(async ({ ref, commit: own }) => ({
        ref,
        commit: own,
        tree: await treeOf(request.git, own),
        ...(request.tasksOf ? { tasks: [...request.tasksOf(ref)] } : {}),
        files: conserved.get(ref)?.files ?? 0,
        entities: [...(conserved.get(ref)?.entities ?? [])],
      })),
    ),
    left,
    decisions: [...request.decisions],
    resolved: [...resolved],
    steps: steps.map((step) => ({ ...step, tree })),
    evidence: evidence ?? [],
  };
  return end('ready', { merged, receipt });
}

interface Checked {
  readonly report: CheckReport;
  readonly blocking: readonly Finding[];
  /** What is to be merged, in this order. */
  readonly wanted: readonly BranchTip[];
}

/**
 * A branch that another one is built on comes in with that one, which may correct it: only the outermost are checked.
 * Where parts may land, those below are looked at when the outer one is out.
 */
async function checkOutermost(request: IntegrationRequest): Promise<Checked> {
  const { target, isPartial } = request;
  let branches = request.branches;
  const found: Finding[] = [];
  for (;;) {
    const outer = await outermostOf(request.git, branches);
    const report = await request.check(target, outer);
    const blocking = blockingIn(report, request.resolve !== null);
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

/** Text conflicts do not block where an integrator resolves them. */
function blockingIn({ findings }: CheckReport, isResolved: boolean): Finding[] {
  return findings.filter(({ severity, rule }) => severity === 'blocking' && !(isResolved && rule === 'T01'));
}

/** Why a check could not tell; null when it could. */
function unclearIn({ status, inconclusive }: CheckReport): string | null {
  return status === 'inconclusive' ? (inconclusive[0]?.reason ?? 'it is inconclusive') : null;
}

/** Everything that was found about a branch that stays behind. */
function whyLeft(ref: string, blocking: readonly Finding[]): LeftBranch {
  const about = blocking.filter(({ branches, alsoIn }) => branches.includes(ref) || alsoIn?.includes(ref));
  return about.length === 0
    ? { ref, reason: 'it has nothing to land', isEmpty: true }
    : { ref, reason: about.map(({ message }) => message).join('; ') };
}

/** By branch, the messages of the findings that keep it from landing. */
function blockedBranches({ blocked }: CheckReport, blocking: readonly Finding[]): Map<string, string> {
  const messages = new Map(blocking.map(({ id, message }) => [id, message]));
  return new Map(
    blocked.flatMap(({ ref, by }) => {
      const reasons = by.flatMap((id) => messages.get(id) ?? []);
      return reasons.length === 0 ? [] : [[ref, reasons.join('; ')] as const];
    }),
  );
}

/** The largest set that fits together, in the order that `check` proved as far as it says. */
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

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
