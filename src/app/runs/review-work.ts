import type { Consultant } from '#app/planning/consult-agent.ts';
import { gatesAt } from '#app/planning/defect-work.ts';
import { withPlanRoom } from '#app/planning/plan-room.ts';
import { runAlone } from '#app/review/prove-findings.ts';
import { reviewBranch, seatsOf } from '#app/review/review-branch.ts';
import { thisHost } from '#app/workplace/host.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { AttemptPlan, RedTest, ReviewWork, TaskFlow, WorkReview } from '#crew/task/task.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { withBranch } from '#grounding/judge/open-branch.ts';
import type { Reply } from '#planning/answers/consult.ts';
import { judgeRedTest } from '#review/proof/judge-red-test.ts';
import type { Gate } from '#schema/gates.ts';
import { cacheDir } from '#schema/paths.ts';
import type { ReviewReport } from '#schema/review.ts';
import { ReviewSettings } from '#schema/run.ts';
import type { RunRoom } from './run-room.ts';

type Place = Parameters<typeof runAlone>[0];

/** Time limit for all red tests of a task together. */
const redTestsMs = 600_000;

/** Each attempt numbers its questions in its own range. */
const numbersPerAttempt = 10;

/** Runs the configured reviewers on the work of one attempt. Every answer is recorded before it is used. */
export function reviewWork(
  { env, terminal }: Pick<Surroundings, 'env' | 'terminal'>,
  { repository }: Pick<RunRoom, 'repository'>,
): ReviewWork {
  return (flow, plan, work) => {
    const { state, context, id, slug, stop } = flow;
    const cwd = repository.workTree ?? repository.commonDir;
    const settings = state.settings.review ?? ReviewSettings.parse({});
    const { agent, roles, scenario } = state.settings;
    return withPlanRoom(
      { cwd, env, base: state.base, warn: terminal.warn },
      async (room): Promise<WorkReview> => {
        const name = `${context.run}-${slug}-${plan.n}`;
        const place = { room, name, env, signal: AbortSignal.any([stop, context.lost]), progress: () => {} };
        const definitions = await gatesAt(place);
        const testGates = definitions.gates.filter(({ kind }) => kind === 'test');
        const broken = await brokenTests(place, testGates, work.commit, work.redTests);
        if (broken.length > 0) return { kind: 'red-tests', broken };
        const cache = cacheDir(thisHost(env));
        const request = { repository, branch: work.commit, base: plan.base, cacheDir: cache };
        const reviewed = await withBranch(request, (open) =>
          reviewBranch({
            ...{ room, open, cache, place, definitions, settings },
            ask: { agent, roles, scenario, signal: place.signal, report() {} },
            branch: plan.branch,
            baseRef: plan.base,
            seats: seatsOf(settings.reviewers),
            goal: work.goal,
            criteria: work.criteria,
            hints: { text: work.goal, branch: plan.branch },
            reported: work.reported,
            firstNumber: (plan.n - 1) * numbersPerAttempt,
            resume: `joinery retry ${context.run} --task ${id}`,
            through: (consultant) => durable(flow, plan, consultant),
            warn: (line) =>
              context.append([{ type: 'run.degraded', data: { what: `review of ${id}: ${line}` } }]),
          }),
        );
        const report: ReviewReport = {
          schema: 'joinery/review@1',
          base: { ref: plan.base, commit: plan.base },
          branch: { ref: plan.branch, commit: work.commit },
          checks: [],
          ...reviewed,
        };
        return { kind: 'reviewed', report };
      },
    );
  };
}

/** An answer in the log is not requested again, and every agent that is asked takes a slot on this machine. */
function durable(flow: TaskFlow, plan: AttemptPlan, inner: Consultant): Consultant {
  const { context, id, workshop, stop } = flow;
  const inTurn = async (who: string, ask: () => Promise<Reply>): Promise<Reply> => {
    const leave = await workshop.takePlace(`${context.run}/${id}/${who}`, stop, () => {});
    return ask().finally(leave);
  };
  return {
    ...inner,
    consult: (question) => {
      const who = question.seat === undefined ? question.role : `${question.role}-${question.seat.name}`;
      return recorded(flow, `${id}/${plan.n}/review/${who}/${question.n}`, question.seat?.name ?? null, () =>
        inTurn(who, () => inner.consult(question)),
      );
    },
    // The prover writes into a worktree, so after a crash it works again; its cost is recorded.
    work: async (question, folder) => {
      const reply = await inTurn(question.role, () => inner.work(question, folder));
      stop.throwIfAborted();
      context.append([{ type: 'run.consulted', data: { ...reply.consultation, task: id } }]);
      return reply;
    },
  };
}

async function recorded(
  { context, stop, id }: TaskFlow,
  key: string,
  reviewer: string | null,
  ask: () => Promise<Reply>,
): Promise<Reply> {
  const text = await context.step(key, async (call) => {
    const reply = await ask();
    // Joinery stopped the agent: there is no answer.
    stop.throwIfAborted();
    const data = { ...reply.consultation, task: id, ...(reviewer === null ? {} : { reviewer }) };
    call.emit({ type: 'run.consulted', data });
    return JSON.stringify(reply);
  });
  return JSON.parse(text) as Reply;
}

/** A reviewer's test must still exist unchanged, and must pass where it failed before. */
async function brokenTests(
  place: Place,
  gates: readonly Gate[],
  commit: string,
  tests: readonly RedTest[],
): Promise<{ file: string; why: string }[]> {
  const texts = await readFilesAt(
    place.room.repository.git,
    commit,
    tests.map(({ file }) => file),
  );
  const until = performance.now() + redTestsMs;
  const broken: { file: string; why: string }[] = [];
  for (const { file, content } of tests) {
    const now = texts.get(file);
    if (now !== content) broken.push({ file, why: now === undefined ? 'was removed' : 'was changed' });
    else {
      const left = until - performance.now();
      const { result, note } =
        left <= 0
          ? { result: 'inconclusive', note: 'no time was left' }
          : judgeRedTest(await runAlone(place, gates, commit, file, left));
      if (result !== 'not_reproduced') broken.push({ file, why: `does not pass (${note})` });
    }
  }
  return broken;
}
