import type { CompiledWorkflow } from '#schema/compiled-workflow.ts';

const outcome = 'context.metrics_outcome: success, partial, abandoned or error';

/** The metrics that a profile asks for: at each step, and at the last one. */
const asked: Readonly<Record<CompiledWorkflow['metrics'], { each: string[]; last: string[] }>> = {
  coding: {
    each: ['context.metrics_commit_shas: all commits of this work so far'],
    last: [
      outcome,
      'context.metrics_pr_numbers: pull requests, if any',
      'context.metrics_files_changed, context.metrics_lines_added, context.metrics_lines_removed',
    ],
  },
  review: { each: [], last: ['context.metrics_pr_numbers: the pull requests reviewed', outcome] },
  research: { each: [], last: [outcome] },
  design: { each: [], last: [outcome] },
  ticket: { each: [], last: [outcome] },
  none: { each: [], last: [] },
};

export function metricsFooter(profile: CompiledWorkflow['metrics'], isLast: boolean): string {
  const { each, last } = asked[profile];
  const lines = [...each, ...(isLast ? last : [])];
  return lines.length === 0
    ? ''
    : `## Figures (System)\nSet:\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
