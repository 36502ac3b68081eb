import { showWorkflowHere } from '#app/workflow/describe-workflows.ts';
import { writeOutput } from '#app/workplace/output-file.ts';
import { renderMermaid } from '#report/workflow/mermaid.ts';
import { renderSvg } from '#report/workflow/svg.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { WorkflowInvocation } from './workflow.ts';

export async function graphAction(invocation: WorkflowInvocation, name: string): Promise<ExitCode> {
  const { options, cwd, globals, terminal } = invocation;
  const report = await showWorkflowHere(invocation, name);
  const graph = options.format === 'svg' ? renderSvg(report) : renderMermaid(report);
  if (options.output !== undefined) writeOutput(cwd, options.output, graph);
  if (globals.json)
    terminal.printJson({
      schema: 'joinery/workflow-graph@1',
      id: report.workflow.id,
      format: options.format,
      graph,
    });
  else if (options.output === undefined) terminal.print(graph);
  return exitCodes.ok;
}
