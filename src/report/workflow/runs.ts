import { visibleLine } from '#lib/visible.ts';
import { hang } from '#report/text/flow.ts';
import type { Page } from '#report/text/page.ts';
import type {
  WorkflowRunsReport,
  WorkflowSearchReport,
  WorkflowStatusReport,
} from '#schema/workflow-reports.ts';

const shownRuns = 50;

export function renderWorkflowRuns({ runs }: WorkflowRunsReport, { paint, width }: Page): string {
  if (runs.length === 0) return 'No workflow was run here. Start one: joinery workflow run <id> --goal "…"';
  const lines = runs.slice(0, shownRuns).flatMap(({ run, status, workflow, goal, step }) =>
    hang(
      `${run}  ${status.padEnd(14)}  `,
      `${workflow}${step === null ? '' : ` at ${step}`}: ${visibleLine(goal)}`,
      {
        width,
        tintLabel: status === 'done' ? paint.green : status === 'failed' ? paint.red : paint.yellow,
      },
    ),
  );
  const more = runs.length - shownRuns;
  return [
    ...lines,
    ...(more > 0 ? [`… and ${more} more; all of them: joinery workflow runs --json`] : []),
  ].join('\n');
}

const words = {
  step: 'reached',
  blocked: 'not accepted at',
  gate: 'waits at the gate of',
  checkpoint: 'checkpoint at',
  complete: 'complete',
  stopped: 'stopped at',
} as const;

/** What happened, in order; a branch is identified by the node it started from. */
export function renderWorkflowStatus(report: WorkflowStatusReport, { paint, width }: Page): string {
  const { run, workflow, goal, nodes, tips } = report;
  const lines = nodes.flatMap(({ node, parent, kind, step, notes, blockers, trace, verdict, check }, at) => {
    const isFork = parent !== null && at > 0 && nodes[at - 1]?.node !== parent;
    const from = isFork ? ` (from ${parent})` : '';
    const skipped = trace.filter((entry) => entry.kind === 'skipped').map((entry) => entry.step);
    return [
      ...(notes === null ? [] : hang('    ', visibleLine(notes).slice(0, 200), { width, tint: paint.dim })),
      ...(check === null ? [] : hang('    check ', `${check.status}: ${check.summary}`, { width })),
      ...(verdict === null ? [] : hang('    gate ', `${verdict.verdict}: ${verdict.rationale}`, { width })),
      ...(skipped.length === 0 ? [] : hang('    skipped ', skipped.join(', '), { width, tint: paint.dim })),
      ...hang(`${node.padEnd(5)} `, `${words[kind]}${step === null ? '' : ` ${step}`}${from}`, {
        width,
        tintLabel: tips.includes(node) ? paint.green : paint.cyan,
      }),
      ...blockers.flatMap(({ message }) => hang('      ', message, { width, tint: paint.red })),
    ];
  });
  return [`${paint.bold(run)}  ${workflow}: ${visibleLine(goal)}`, ...lines].join('\n');
}

export function renderWorkflowSearch(
  { candidates, totalEligible }: WorkflowSearchReport,
  { width, paint }: Page,
): string {
  if (candidates.length === 0) return 'No run fits. All of them: joinery workflow runs';
  return [
    ...candidates.flatMap(({ run, workflow, goal, step, whyMatched }) => [
      ...hang(`${run}  `, `${workflow}${step === null ? '' : ` at ${step}`}: ${visibleLine(goal)}`, {
        width,
        tintLabel: paint.cyan,
      }),
      ...hang('    ', whyMatched.join('; '), { width, tint: paint.dim }),
    ]),
    ...(totalEligible > candidates.length ? [`… of ${totalEligible}`] : []),
    `Go on: joinery workflow resume ${candidates[0]?.run}`,
  ].join('\n');
}
