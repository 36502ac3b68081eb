import type { Invocation, Run } from '#cli/args/invocation.ts';
import { refuseMore } from '#cli/args/refuse-more.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { nearest } from '#lib/nearest.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { workflowActions, type workflowTable } from './workflow.table.ts';

export type WorkflowInvocation = Invocation<typeof workflowTable>;

/** Loads each action when it is requested. */
export const run: Run<typeof workflowTable> = async (invocation) => {
  const [action] = invocation.positionals;
  switch (action) {
    case 'list':
    case 'show':
    case 'validate':
    case 'graph':
    case 'new':
      return describe(invocation, action);
    default: {
      if (!workflowActions.some((each) => each === action)) throw unknownAction(action ?? '');
      const { runAction } = await import('./workflow-runs.ts');
      return runAction(invocation, action ?? '');
    }
  }
};

function unknownAction(action: string): UsageError {
  const meant = nearest(action, workflowActions);
  return new UsageError({
    code: 'unknown-action',
    message: `workflow cannot ${JSON.stringify(action)}${meant === null ? '' : `; did you mean "${meant}"?`}`,
    hint: `one of: ${workflowActions.join(', ')}`,
  });
}

async function describe(
  invocation: WorkflowInvocation,
  action: 'list' | 'show' | 'validate' | 'graph' | 'new',
): Promise<ExitCode> {
  const { terminal, env, globals, positionals } = invocation;
  const [, ...names] = positionals;
  const page = pageOf(terminal, env);
  const { listWorkflowsHere, newWorkflowHere, showWorkflowHere, validateWorkflowsHere } = await import(
    '#app/workflow/describe-workflows.ts'
  );
  const { renderWorkflowList, renderWorkflowProblems, renderWorkflowShow } = await import(
    '#report/workflow/workflows.ts'
  );
  const print = (report: object, text: () => string) => {
    if (globals.json) terminal.printJson(report);
    else terminal.print(text());
  };
  switch (action) {
    case 'list': {
      refuseMore('workflow', action, names);
      const report = await listWorkflowsHere(invocation);
      print(report, () => renderWorkflowList(report, page));
      return exitCodes.ok;
    }
    case 'show': {
      const report = await showWorkflowHere(invocation, oneName(names, action));
      print(report, () => renderWorkflowShow(report, page));
      return exitCodes.ok;
    }
    case 'validate': {
      const report = await validateWorkflowsHere(invocation, names);
      print(report, () => renderWorkflowProblems(report));
      return report.status === 'fail' ? exitCodes.findings : exitCodes.ok;
    }
    case 'new': {
      const { file } = await newWorkflowHere(invocation, oneName(names, action));
      const report = { schema: 'joinery/workflow-new@1', file };
      print(report, () => `${file}\nFill it in, then: joinery workflow validate ${file}`);
      return exitCodes.ok;
    }
    case 'graph': {
      const { graphAction } = await import('./workflow-graph.ts');
      return graphAction(invocation, oneName(names, action));
    }
  }
}

export function oneName(names: readonly string[], action: string): string {
  const [name, ...more] = names;
  if (name !== undefined && more.length === 0) return name;
  throw new UsageError({
    code: name === undefined ? 'missing-argument' : 'too-many-arguments',
    message: name === undefined ? `${action} needs a name` : `${action} takes one name`,
    hint: `joinery workflow ${action} <name>; names: joinery workflow list, joinery workflow runs`,
  });
}
