import { join } from 'node:path';
import { visibleLine } from '#lib/visible.ts';
import { failureClasses } from '#schema/failure.ts';
import type { WhyReport } from '#schema/why-report.ts';
import { keptRef, taskSlugs } from './names.ts';
import { nextCommands } from './projections.ts';
import { type RunState, type StepState, stepOf } from './state.ts';

/** How a task came to where it is; a pure function of the log. `root`: the state folder of the repository. */
export function whyOf(run: string, state: RunState, id: string, root: string): WhyReport {
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
      reasons: attempt.findings
        .filter(({ severity }) => severity === 'blocking')
        .map(({ message }) => message),
      commit: attempt.commit,
      kept: attempt.kept === null ? null : keptRef(run, slug, attempt.n),
      log: join(root, 'logs', run, `${slug}-${attempt.n}.log`),
    })),
    blockedBy: blockersOf(state, step),
    next: nextCommands(run, state).filter((command) => (taskIn(command) ?? id) === id),
  };
}

/** The task a command is about; null when it is about the run. */
function taskIn(command: string): string | null {
  const [, retried, asked] = /--task (\S+)|questions answer (?!halt-)(\S+)-\d+ /.exec(command) ?? [];
  return retried ?? asked ?? null;
}

/** What a task that never began is waiting for. */
function blockersOf(state: RunState, step: StepState): string[] {
  if (step.attempts.length > 0 || step.status === 'accepted') return [];
  return step.task.dependsOn.filter((id) => stepOf(state, id).status !== 'accepted');
}

/** The story in at most ten lines. */
export function tellWhy(report: WhyReport): string[] {
  const { task, title, status, attempts, failure } = report;
  const tries =
    attempts.length === 0
      ? 'never tried'
      : attempts.length === 1
        ? 'one attempt'
        : `${attempts.length} attempts`;
  const shown = attempts.slice(-3);
  const last = attempts.at(-1);
  return [
    `Task ${task} (${short(title)}): ${status}, ${tries}`,
    ...(failure
      ? [`${failure.class}: ${report.meaning}; ${short(failure.why)}`]
      : report.reason === ''
        ? []
        : [short(report.reason)]),
    ...(report.blockedBy.length > 0 ? [`It waits for ${report.blockedBy.join(', ')}.`] : []),
    ...shown.map(attemptLine),
    ...(last?.commit ? [`Work: git show ${last.commit.slice(0, 12)}`] : []),
    ...(last?.kept ? [`Kept: git show ${last.kept}`] : []),
    ...(last ? [`Log: ${last.log}`] : []),
    ...report.next.slice(0, 1).map((command) => `Next: ${command}`),
  ];
}

function attemptLine({ n, tier, outcome, verdict, failure, reasons }: WhyReport['attempts'][number]): string {
  const end = outcome === null ? 'at work' : outcome === 'ok' ? (verdict ?? 'ended') : outcome;
  const why = reasons[0] ?? failure?.why ?? '';
  const more = reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : '';
  return `  #${n} ${tier}, ${end}${why === '' ? '' : `: ${short(why)}${more}`}`;
}

const longest = 160;

function short(text: string): string {
  const line = visibleLine(text.split('\n', 1)[0] ?? '');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
