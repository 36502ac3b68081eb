import type { FinalReport } from '#schema/final-report.ts';
import { nextCommands } from './next-commands.ts';
import { reportOf } from './report.ts';
import { hasLanded, leftBehind, type RunState, type StepState } from './state.ts';

/** The final report of a run; a pure function of its log. */
export function finalReportOf(run: string, state: RunState): FinalReport {
  const { status, exitCode, reason, phases, claims, cost, degraded, questions } = reportOf(run, state);
  const steps = [...state.steps.values()];
  const landed = steps.filter((step) => step.status === 'accepted' && hasLanded(state, step));
  const behind = leftBehind(state);
  const integration = state.integrations.at(-1)?.report;
  const skipped = (integration?.steps ?? []).filter((step) => step.status === 'skipped');
  return {
    schema: 'joinery/report@1',
    run,
    status,
    exitCode,
    ...(reason === undefined ? {} : { reason }),
    asked: {
      spec: state.spec?.path ?? null,
      base: state.base,
      target: state.target,
      tasks: steps.map(({ task }) => ({ id: task.id, title: task.title })),
    },
    phases,
    landed: state.landed && { ...state.landed, tasks: landed.map(({ task }) => task.id) },
    notLanded: steps
      .filter((step) => !hasLanded(state, step))
      .map((step) => reasonOf(step, behind.get(step.branch))),
    shown: shownIn(steps),
    findings: clashesOf(steps),
    proof: [...(integration?.steps ?? [])],
    ...(integration?.unproven === undefined ? {} : { unproven: integration.unproven }),
    reviews: steps.flatMap(reviewsOf),
    claims: { all: claims.length, proven: claims.filter((claim) => claim.status === 'pass').length },
    cost,
    ...(state.containment === null ? {} : { containment: state.containment }),
    degraded: [
      ...degraded,
      ...steps.flatMap(weakHandoffs),
      ...skipped.map(({ name, detail }) => `${name} was skipped: ${detail}`),
    ],
    questions: questions.map(({ text }) => text),
    next: nextCommands(run, state).map(({ command }) => command),
  };
}

function reviewsOf({ task, attempts }: StepState): FinalReport['reviews'] {
  return attempts.flatMap(({ n, review }) => {
    if (review === null) return [];
    const { verdict, consensus, reason, accepted, deferred, rejected } = review;
    const redTests = review.redTests.map(({ file }) => file);
    return [
      { task: task.id, attempt: n, verdict, consensus, reason, accepted, deferred, rejected, redTests },
    ];
  });
}

/** Tasks with a weak handoff, and the tasks that had to work with it. */
function weakHandoffs({ task, attempts }: StepState): string[] {
  const last = attempts.at(-1);
  const upstream = Object.entries(last?.prompt?.upstream ?? {});
  return [
    ...(last?.quality === 'partial' || last?.quality === 'fallback'
      ? [`task ${task.id} left a ${last.quality} handoff`]
      : []),
    ...upstream.map(([id, quality]) => `task ${task.id} worked with a ${quality} handoff of task ${id}`),
  ];
}

function reasonOf(
  { task, status, reason }: StepState,
  behind: string | undefined,
): FinalReport['notLanded'][number] {
  const why =
    reason === '' && status === 'accepted'
      ? (behind ?? 'accepted; it stays on the integration branch')
      : reason;
  return { task: task.id, status, reason: why };
}

/** Of the last check of each task: an earlier one may be settled. */
function shownIn(steps: readonly StepState[]): FinalReport['shown'] {
  const all = steps.flatMap(({ checks }) => checks.at(-1)?.shown ?? []);
  return [...new Map(all.map((clash) => [clash.id, clash])).values()];
}

/** Each clash once, with its outcome and the task that fixed it. */
function clashesOf(steps: readonly StepState[]): FinalReport['findings'] {
  const all = new Map<string, FinalReport['findings'][number]>();
  for (const step of steps) {
    const open = new Set(step.checks.at(-1)?.clashes.map(({ id }) => id));
    for (const clash of step.checks.flatMap(({ clashes }) => clashes)) {
      const mover = steps.findLast(({ rework }) => rework?.clashes.some(({ id }) => id === clash.id)) ?? step;
      const owner = mover === step ? clash.owner : mover.task.id;
      const isFixed = !open.has(clash.id) && (all.get(clash.id)?.isFixed ?? true);
      all.set(clash.id, { ...clash, owner, isFixed, attempts: mover.attempts.length });
    }
  }
  return [...all.values()];
}
