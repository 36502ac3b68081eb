import { join } from 'node:path';
import { countedAttempts, startOf, stepOf } from '#crew/state/state.ts';
import type { AttemptPlan, Played, RedTest, TaskFlow } from '#crew/task/task.ts';
import { treeOf, writeCommit } from '#git/merges/branches.ts';
import { treeWithChanges } from '#git/trees/pick-changes.ts';
import type { Change } from '#git/trees/tree.ts';
import type { Verification } from '#handoff/complete-step.ts';
import { buildContextSummary } from '#handoff/context/build-context-summary.ts';
import { judgeReview, type ReviewJudgement } from '#review/rework/judge-review.ts';
import type { DataOf } from '#schema/event.ts';
import { Handoff } from '#schema/handoff.ts';
import { ShapingHandoff } from '#schema/phase-handoffs.ts';
import type { ReviewReport } from '#schema/review.ts';
import type { AttemptFinding, CheckResult } from '#schema/run.ts';

const nothing: Verification = { checks: [], findings: [] };

/** Reviewers see work that passed all code-based checks; accepted findings go back to the agent. */
export async function reviewAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  played: Played,
  commit: string,
): Promise<Verification> {
  const { context, id, state, review } = flow;
  if (review === null || (state.settings.review?.reviewers.length ?? 0) === 0) return nothing;
  return context.step(`${id}/${plan.n}/review`, async (call) => {
    const redTests = redTestsSoFar(flow);
    const answer = await review(flow, plan, {
      commit,
      goal: `${stepOf(state, id).task.title}\n\n${stepOf(state, id).task.description}`,
      criteria: criteriaOf(flow),
      reported: reportedBy(flow, played),
      redTests,
    });
    flow.stop.throwIfAborted();
    const judged =
      answer.kind === 'reviewed' ? judgeReview(answer.report, reworkState(flow)) : judgeBroken(answer.broken);
    const found = answer.kind === 'reviewed' ? answer.report.redTests : [];
    const wanted = answer.kind === 'reviewed' ? found : redTests;
    const kept = wanted.map(({ file, finding, content }) => ({
      file,
      finding,
      sha256: context.keep(content),
    }));
    const start = wanted.length === 0 ? null : await withTests(flow, plan, commit, wanted);
    const report = answer.kind === 'reviewed' ? answer.report : null;
    call.emit({
      type: 'attempt.reviewed',
      step: id,
      attempt: plan.n,
      data: {
        ...reviewedData(report, judged),
        commit,
        report: report && context.keep(`${JSON.stringify(report, null, 2)}\n`),
        redTests: kept,
        start,
      },
    });
    return {
      checks: [...greenAgain(redTests, answer.kind === 'reviewed'), judged.check],
      findings: [...judged.findings],
      isUndecided: judged.isUndecided,
    };
  });
}

function reviewedData(
  report: ReviewReport | null,
  { check }: ReviewJudgement,
): Omit<DataOf<'attempt.reviewed'>, 'commit' | 'report' | 'redTests' | 'start'> {
  return {
    verdict: report?.verdict ?? 'revise',
    reason: report?.reason ?? check.detail,
    consensus: report?.consensus.verdict ?? 'unverified',
    accepted: report?.triage?.accepted.length ?? 0,
    deferred: report?.triage?.deferred.length ?? 0,
    rejected: report?.triage?.rejected.length ?? 0,
  };
}

function reworkState({ state, id }: TaskFlow) {
  const counted = countedAttempts(stepOf(state, id));
  return {
    isLast: counted.length >= state.settings.loop.max,
    told: new Set(
      counted.slice(0, -1).flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)),
    ),
  };
}

/** No reviewer is asked while a test of an earlier review fails. */
function judgeBroken(broken: readonly { readonly file: string; readonly why: string }[]): ReviewJudgement {
  const findings = broken.map(
    ({ file, why }): AttemptFinding => ({
      fingerprint: `red-test:${file}`,
      severity: 'blocking',
      message: `${file} ${why}: make it pass and leave the test as it is.`,
    }),
  );
  const detail = broken.map(({ file, why }) => `${file} ${why}`).join('; ');
  return {
    check: { name: 'red-tests', status: 'fail', decidedBy: 'code', required: true, detail },
    findings,
    isUndecided: false,
  };
}

function greenAgain(redTests: readonly RedTest[], isGreen: boolean): CheckResult[] {
  if (redTests.length === 0 || !isGreen) return [];
  const detail = `failed before, passes now: ${redTests.map(({ file }) => file).join(', ')}`;
  return [{ name: 'red-tests', status: 'pass', decidedBy: 'code', required: true, detail }];
}

/** Every test of earlier reviews of this task: each must stay unchanged and pass. */
function redTestsSoFar({ state, id, workshop, context }: TaskFlow): RedTest[] {
  const all = stepOf(state, id).attempts.flatMap(({ review }) => review?.redTests ?? []);
  const byFile = new Map(all.map((test) => [test.file, test]));
  return [...byFile.values()].map(({ file, finding, sha256 }) => ({
    file,
    finding,
    content: workshop.engine.artifact(context.run, sha256) ?? '',
  }));
}

/** The work with these tests on top, for the next attempt to start from. */
async function withTests(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  tests: readonly Pick<RedTest, 'file' | 'content'>[],
): Promise<string> {
  const { objects, scratch } = flow.premises;
  const { git } = objects;
  const changes: Change[] = [];
  for (const { file, content } of tests) {
    const id = await git.text(['hash-object', '-w', '--no-filters', '--stdin'], { input: content });
    changes.push({
      status: 'added',
      path: file,
      oldPath: null,
      before: null,
      after: { id, mode: '100644', kind: 'file' },
    });
  }
  const tree = await treeWithChanges(
    git,
    join(scratch, `red-${flow.slug}-${plan.n}`),
    await treeOf(git, commit),
    changes,
  );
  const start = await writeCommit(git, {
    tree,
    parents: [commit],
    message: `test: what reviewers of task ${flow.id} found\n\nJoinery-Run: ${flow.context.run}\nJoinery-Task: ${flow.id}\n`,
    at: startOf(flow.state, flow.id),
  });
  await objects.publish(start, [commit]);
  return start;
}

/** The criteria of the task and the checklist of the shaping phase. */
function criteriaOf(flow: TaskFlow): string[] {
  const { task } = stepOf(flow.state, flow.id);
  const checklists = task.dependsOn
    .flatMap((id) => ShapingHandoff.safeParse(handoffOf(flow, lastHandoff(flow, id))?.typed).data ?? [])
    .flatMap(({ validationChecklist }) => validationChecklist);
  return [...new Set([...task.acceptance.map(({ text }) => text), ...checklists])];
}

/** What earlier phases and this attempt say: decisions, limitations and assumptions that turned out wrong. */
function reportedBy(flow: TaskFlow, { handoff }: Played): string {
  const { dependsOn } = stepOf(flow.state, flow.id).task;
  const own = handoffOf(flow, handoff);
  const before = dependsOn.flatMap((id) => handoffOf(flow, lastHandoff(flow, id))?.typed ?? []);
  const coding = {
    kind: 'wr.coding_handoff',
    version: 1,
    keyDecisions: short(
      own?.decisions.map(({ what, why }) => (why === '' ? what : `${what}, because ${why}`)),
      8,
    ),
    knownLimitations: short(own?.limitations, 6),
    testsAdded: [],
    filesChanged: [],
    correctedAssumptions: correctedIn(flow, own)
      .slice(-6)
      .map(({ assumed, actual }) => ({ assumed: cut(assumed), actual: cut(actual) })),
  };
  return buildContextSummary([...before, coding], 'review');
}

/** Corrected assumptions of all attempts of the task. */
function correctedIn(flow: TaskFlow, own: Handoff | null): { assumed: string; actual: string }[] {
  const before = stepOf(flow.state, flow.id).attempts.slice(0, -1);
  const earlier = before.flatMap(({ played }) => handoffOf(flow, played?.handoff ?? null)?.corrected ?? []);
  return [...earlier, ...(own?.corrected ?? [])].filter(
    ({ assumed, actual }) => assumed !== '' && actual !== '',
  );
}

function lastHandoff({ state }: TaskFlow, id: string): string | null {
  return stepOf(state, id).attempts.at(-1)?.played?.handoff ?? null;
}

function handoffOf({ workshop, context }: TaskFlow, hash: string | null): Handoff | null {
  const text = hash === null ? null : workshop.engine.artifact(context.run, hash);
  return text === null ? null : Handoff.parse(JSON.parse(text));
}

function short(texts: readonly string[] | undefined, most: number): string[] {
  return (texts ?? [])
    .filter((text) => text.trim() !== '')
    .slice(0, most)
    .map(cut);
}

function cut(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}
