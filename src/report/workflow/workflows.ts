import { visibleLine } from '#lib/visible.ts';
import { hang } from '#report/text/flow.ts';
import type { Page } from '#report/text/page.ts';
import { breaks } from '#schema/verdict.ts';
import type {
  WorkflowListReport,
  WorkflowProblem,
  WorkflowShowReport,
  WorkflowValidateReport,
} from '#schema/workflow-reports.ts';

/** Workflows by source; routines last, because people do not start them. */
export function renderWorkflowList({ workflows }: WorkflowListReport, { width, paint }: Page): string {
  const started = workflows.filter(({ isRoutine }) => !isRoutine);
  const routines = workflows.filter(({ isRoutine }) => isRoutine);
  const longest = Math.max(0, ...workflows.map(({ id }) => id.length));
  const line = (entry: WorkflowListReport['workflows'][number]) => {
    const what = entry.isUsable ? entry.description : `cannot be used: joinery workflow validate ${entry.id}`;
    const origin = entry.source === 'bundled' ? '' : ` (${entry.source})`;
    return hang(`${entry.id.padEnd(longest)}  `, `${what}${origin}`, {
      width,
      tintLabel: entry.isUsable ? paint.cyan : paint.red,
    });
  };
  return [
    ...started.flatMap(line),
    ...(routines.length > 0 ? ['', paint.bold('Routines'), ...routines.flatMap(line)] : []),
    '',
    'Start one: joinery workflow run <id> --goal "…"',
  ].join('\n');
}

export function renderWorkflowShow(
  { workflow, steps, preconditions, bindings }: WorkflowShowReport,
  page: Page,
): string {
  const { paint, width } = page;
  const lines = steps.flatMap(({ id, title, kind, depth, condition, notes }) => [
    ...hang(`${'  '.repeat(depth)}${kind === 'loop' ? '⟳' : '•'} ${id}  `, title, {
      width,
      indent: 2,
      tintLabel: paint.cyan,
    }),
    ...(condition === null ? [] : hang('if ', condition, { width, indent: 6 + 2 * depth, tint: paint.dim })),
    ...notes.flatMap((note) => hang('', note, { width, indent: 6 + 2 * depth, tint: paint.dim })),
  ]);
  return [
    `${paint.bold(workflow.id)} ${workflow.version}  ${visibleLine(workflow.name)}`,
    ...hang('', workflow.description, { width }),
    `${workflow.source}: ${workflow.file}`,
    workflow.hash,
    ...preconditions.flatMap((text) => hang('needs ', text, { width })),
    ...Object.entries(bindings).map(([slot, value]) => `${slot} is ${value}`),
    '',
    ...lines,
  ].join('\n');
}

/** One line per problem: file, path, rule, severity, message. */
export function renderWorkflowProblems({ problems, files, status }: WorkflowValidateReport): string {
  const lines = problems.map(renderProblem);
  const count = files.length === 1 ? '1 workflow' : `${files.length} workflows`;
  if (problems.length === 0) return `${count}, no problem`;
  const blocking = problems.filter(breaks).length;
  const end = status === 'fail' ? `${blocking} blocking` : 'none blocks';
  return [
    ...lines,
    `${count}, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}, ${end}`,
  ].join('\n');
}

function renderProblem({ file, path, rule, severity, message }: WorkflowProblem): string {
  return `${visibleLine(file)}: ${path === '' ? '(document)' : visibleLine(path)}: ${severity} ${rule}: ${visibleLine(message)}`;
}
