import { type CheckRequest, checkBranches } from '#check/check.ts';
import { ruleOf } from '#check/rules/registry.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { Frames } from '#schema/frame.ts';
import type { ReplayReport } from '#schema/replay.ts';
import { needsRisk } from '#schema/rules.ts';

type Surroundings = Pick<
  CheckRequest,
  'repository' | 'cacheDir' | 'maxCacheBytes' | 'pythonRoots' | 'progress' | 'onInterrupt'
> & {
  readonly timeLimitMs: number;
  /** How to run code of branches, for a finding that only a run can show. */
  readonly running: CheckRequest['running'];
};

/** Rebuilds the union of a finding from the commits that were checked, and looks for the problem again. */
export async function replayFinding(
  report: CheckReport,
  finding: Finding,
  { timeLimitMs, running, ...surroundings }: Surroundings,
): Promise<{ replay: ReplayReport; frames: Frames }> {
  const members = membersOf(report, finding);
  const byChecker = finding.tier === 'R3' && shownByRunning(finding) === null;
  const outcome = await checkBranches({
    ...surroundings,
    base: report.base.ref,
    branches: members.map(({ ref }) => ref).filter((ref) => ref !== report.base.ref),
    commits: new Map([report.base, ...members].map(({ ref, commit }) => [ref, commit])),
    confirm: { by: byChecker ? 'types' : 'none', demanded: byChecker, timeLimitMs },
    ...(running ? { running } : {}),
    wantsRisk: needsRisk(finding.rule),
    today: '',
  });
  const found = outcome.report.findings.find(({ id }) => id === finding.id);
  return { frames: outcome.frames, replay: compare(finding, found, outcome.report.inconclusive) };
}

/** What must run to see a finding again; null: no code of a branch. */
export function shownByRunning({ rule }: Finding): 'build' | 'tests' | null {
  const checker = ruleOf(rule)?.detect.checker;
  return checker === 'build' || checker === 'tests' ? checker : null;
}

/** The guilty branches; every branch of the check if the finding was seen in the union of all. */
function membersOf(report: CheckReport, { witness }: Finding): readonly { ref: string; commit: string }[] {
  const inFullUnion = witness.unionTree !== null && witness.unionTree === report.union.tree;
  return inFullUnion
    ? report.branches.filter(({ state }) => state === 'checked' || state === 'conflicted')
    : witness.members;
}

function compare(
  finding: Finding,
  found: Finding | undefined,
  inconclusive: CheckReport['inconclusive'],
): ReplayReport {
  const reported = finding.witness.unionTree;
  const rebuilt = found?.witness.unionTree ?? null;
  const [unclear] = inconclusive.map(({ check, file, reason }) => `${check ?? file}: ${reason}`);
  const verdict = (): Pick<ReplayReport, 'proof' | 'reason'> => {
    if (found && rebuilt === reported) return { proof: 'confirmed', reason: '' };
    if (found) return { proof: 'not_reproduced', reason: 'the union is another tree than reported' };
    return unclear === undefined
      ? { proof: 'not_reproduced', reason: 'the problem is not in the union' }
      : { proof: 'inconclusive', reason: unclear };
  };
  return {
    schema: 'joinery/replay@1',
    ...verdict(),
    unionTree: { reported, rebuilt },
    finding: found ?? finding,
  };
}
