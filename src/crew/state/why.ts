import { join } from 'node:path';
import { failureClasses } from '#schema/failure.ts';
import { breaks } from '#schema/verdict.ts';
import type { WhyReport } from '#schema/why-report.ts';
import { keptRef, taskSlugs } from './names.ts';
import { nextCommands } from './next-commands.ts';
import { type RunState, type StepState, stepOf } from './state.ts';

/**
 * How a task got its status; a pure function of the log. `root`: the state folder of the repository. `artifact`: texts that
 * the log names by their hash.
 */
export function whyOf(
  run: string,
  state: RunState,
  id: string,
  root: string,
  artifact: (hash: string) => string | null = () => null,
): WhyReport {
  const lastWords = (hash: string | null) =>
    (hash === null ? '' : (artifact(hash) ?? '')).trim().slice(-mostSaid);
  const step = stepOf(state, id);
  const slug = taskSlugs(state.plan).get(id) ?? id;
  const failure = step.conflict
    ? { class: 'conflict' as const, why: step.reason }
    : step.status === 'accepted'
      ? null
      : (step.attempts.findLast((attempt) => attempt.failure !== null)?.failure ?? null);
  return {
    schema: 'joinery/why@1',
    run,
    task: id,
    title: step.task.title,
    status: step.status,
    reason: step.reason,
    failure,
    meaning: failure ? failureClasses[failure.class] : '',
    attempts: step.attempts.map((attempt) => ({
      n: attempt.n,
      tier: attempt.tier,
      outcome: attempt.outcome,
      verdict: attempt.verdict,
      failure: attempt.failure,
      reasons: attempt.findings.filter(breaks).map(({ message }) => message),
      remarks: attempt.incidents.map(({ kind, detail }) => `${kind}: ${detail}`),
      said: attempt.verdict === 'approve' ? '' : lastWords(attempt.played?.notes ?? null),
      commit: attempt.commit,
      kept: attempt.kept === null ? null : keptRef(run, slug, attempt.n),
      log: join(root, 'logs', run, `${slug}-${attempt.n}.log`),
    })),
    blockedBy: blockersOf(state, step),
    next: nextCommands(run, state)
      .filter(({ task }) => task === null || task === id)
      .map(({ command }) => command),
  };
}

/** Only the end of what an agent said: a refusal is a few sentences. */
const mostSaid = 600;

/** What a task that never started is waiting for. */
function blockersOf(state: RunState, step: StepState): string[] {
  if (step.attempts.length > 0 || step.status === 'accepted') return [];
  return step.task.dependsOn.filter((id) => stepOf(state, id).status !== 'accepted');
}
