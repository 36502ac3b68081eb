import type { BranchTip } from '#check/branches/branch-tips.ts';
import { treeOf } from '#git/branches.ts';
import type { Git } from '#git/git.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type { Decision, IntegrationStep, Loss, Receipt } from '#schema/integration.ts';
import { conserve } from './conserve/conserve.ts';
import { mergeBranches } from './merge/merge-branches.ts';

export interface IntegrationRequest {
  /** Writes commits into the repository; moves no ref. */
  readonly git: Git;
  /** A repository of our own that sees the same objects: for merges that are only asked about. */
  readonly scratch: Git;
  readonly id: string;
  readonly target: BranchTip;
  /** In the order in which they are to land. */
  readonly branches: readonly BranchTip[];
  /** What fits may land without the rest. */
  readonly isPartial: boolean;
  readonly decisions: readonly Decision[];
  /** `joinery check` on exactly these commits. */
  check(base: BranchTip, branches: readonly BranchTip[]): Promise<CheckReport>;
  /** The gates of the target on a commit; null when it defines none. */
  gates(commit: string): Promise<Receipt['evidence'] | null>;
  readonly at: string;
  readonly progress: (text: string) => void;
}

export interface Integration {
  readonly status: 'ready' | 'blocked' | 'conflict' | 'lost' | 'inconclusive' | 'nothing';
  readonly steps: readonly IntegrationStep[];
  readonly merged: readonly BranchTip[];
  readonly left: readonly { readonly ref: string; readonly reason: string }[];
  readonly lost: readonly Loss[];
  /** Set when it is ready to land. */
  readonly receipt: Receipt | null;
}

/** Builds what would land and proves it. Nothing moves: `land` does that, with the receipt. */
export async function integrate(request: IntegrationRequest): Promise<Integration> {
  const steps: IntegrationStep[] = [];
  const left: { ref: string; reason: string }[] = [];
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
  const report = await request.check(target, branches);
  const blocked = blockedBranches(report);
  if (report.status === 'inconclusive') {
    const [first] = report.inconclusive;
    steps.push({ name: 'check', status: 'inconclusive', detail: first?.reason ?? '' });
    return end('inconclusive');
  }
  const wanted = inCheckedOrder(branches, report, isPartial);
  for (const { ref } of branches.filter((tip) => !wanted.includes(tip)))
    left.push({ ref, reason: blocked.get(ref) ?? 'it has nothing to land' });
  if (report.status === 'fail' && !isPartial) {
    fail(
      'check',
      `${count(report.findings.filter(({ severity }) => severity === 'blocking').length, 'blocking finding')}`,
    );
    return end('blocked');
  }
  pass('check', `${count(wanted.length, 'branch', 'branches')} fit together`);
  if (wanted.length === 0) return end('nothing');

  request.progress('merging');
  const { commit, merged, conflicts } = await mergeBranches(request.git, target.commit, wanted, request.at);
  for (const { tip, paths } of conflicts)
    left.push({ ref: tip.ref, reason: `does not merge: ${paths.join(', ')}` });
  if (conflicts.length > 0 && !isPartial) {
    fail('merge', conflicts.map(({ tip, paths }) => `${tip.ref}: ${paths.join(', ')}`).join('; '));
    return end('conflict');
  }
  if (commit === target.commit) return end('nothing', { merged });
  pass('merge', `${count(merged.length, 'branch', 'branches')} merged`);

  const others = branches.filter((tip) => !merged.includes(tip));
  if (others.length > 0) {
    const again = await request.check({ ref: target.ref, commit }, others);
    const blocking = again.findings.filter(({ severity }) => severity === 'blocking').length;
    // What stays behind cannot keep the rest out, but whoever lands it next has to know.
    steps.push({
      name: 'siblings',
      status: again.status === 'inconclusive' ? 'inconclusive' : blocking > 0 ? 'warn' : 'pass',
      detail: `${count(blocking, 'blocking finding')} against what stays behind`,
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
    `${count(entities, 'added or changed entity', 'added or changed entities')} in the result${superseded.length > 0 ? `, ${superseded.length} superseded by a decision` : ''}`,
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
  steps.push({ name: 'contract', status: 'skipped', detail: 'not built' });

  const receipt: Receipt = {
    schema: 'joinery/receipt@1',
    id: request.id,
    target: { ref: target.ref, before: target.commit, tree: await treeOf(request.git, target.commit) },
    integration: { commit, tree: await treeOf(request.git, commit) },
    branches: await Promise.all(
      merged.map(async ({ ref, commit: own }) => ({
        ref,
        commit: own,
        tree: await treeOf(request.git, own),
        files: conserved.get(ref)?.files ?? 0,
        entities: [...(conserved.get(ref)?.entities ?? [])],
      })),
    ),
    left,
    decisions: [...request.decisions],
    steps: [...steps],
    evidence: evidence ?? [],
  };
  return end('ready', { merged, receipt });
}

/** By branch, the messages of the findings that keep it from landing. */
function blockedBranches({ blocked, findings }: CheckReport): Map<string, string> {
  const messages = new Map(findings.map(({ id, message }) => [id, message]));
  return new Map(blocked.map(({ ref, by }) => [ref, by.map((id) => messages.get(id) ?? id).join('; ')]));
}

/** The order that `check` proved, as far as it says; branches that it left out stay behind. */
function inCheckedOrder(
  branches: readonly BranchTip[],
  { landable, branches: checked }: CheckReport,
  isPartial: boolean,
): BranchTip[] {
  const hasWork = new Set(
    checked.filter(({ state }) => state === 'checked' || state === 'conflicted').map(({ ref }) => ref),
  );
  const live = branches.filter(({ ref }) => hasWork.has(ref));
  const chosen = isPartial ? live.filter(({ ref }) => landable.includes(ref)) : live;
  const rank = (tip: BranchTip) => {
    const at = landable.indexOf(tip.ref);
    return at < 0 ? landable.length : at;
  };
  return chosen.toSorted((a, b) => rank(a) - rank(b));
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
