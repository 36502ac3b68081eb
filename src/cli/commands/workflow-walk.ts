import { createInterface } from 'node:readline';
import { driveHere } from '#app/workflow/drive-here.ts';
import { type WorkflowRoom, withWorkflows } from '#app/workflow/workflow-room.ts';
import { continueWorkflow, startWorkflow } from '#app/workflow/workflow-runs.ts';
import { readInput } from '#app/workplace/input-file.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderAnswer } from '#report/workflow/answer.ts';
import type { ExitCode } from '#schema/exit-codes.ts';
import { Scenario } from '#schema/scenario.ts';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import type { WorkflowInvocation } from './workflow.ts';
import { contextOption, printAnswer } from './workflow-runs.ts';

/** Starts a workflow and walks it: with an agent, or with the person at this terminal. */
export function walkHere(invocation: WorkflowInvocation, workflow: string): Promise<ExitCode> {
  const { options } = invocation;
  return withWorkflows(invocation, async (room) => {
    const answer = await startWorkflow(room, {
      workflow,
      goal: options.goal ?? '',
      mode: options.agent === undefined ? 'interactive' : 'autonomous',
      context: contextOption(options.context),
    });
    return walkOn(invocation, room, answer);
  });
}

/** The same for a run that is under way. */
export async function walkOn(
  invocation: WorkflowInvocation,
  room: WorkflowRoom,
  answer: WorkflowAnswer,
): Promise<ExitCode> {
  const { options, cwd, terminal } = invocation;
  if (options.agent === undefined) return printAnswer(invocation, await walkByHand(invocation, room, answer));
  const scenario =
    options.scenario === undefined ? null : readInput(cwd, options.scenario, Scenario, 'scenario');
  const wish = { agent: options.agent, scenario, tell: (line: string) => terminal.note(line) };
  return printAnswer(invocation, await driveHere(invocation, room, answer, wish));
}

/** Reads an answer per step: text up to a line with one dot, or one line of JSON. The end of input leaves the run. */
async function walkByHand(
  invocation: WorkflowInvocation,
  room: WorkflowRoom,
  first: WorkflowAnswer,
): Promise<WorkflowAnswer> {
  const { terminal, env, globals } = invocation;
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  let answer = first;
  while (answer.continueToken !== null) {
    if (!globals.json) {
      terminal.print(renderAnswer(answer, pageOf(terminal, env)));
      terminal.note(
        'Your notes, ended by a line with a single dot (or one line of JSON with notes, context, artifacts):',
      );
    }
    const submission = await readSubmission(lines);
    if (submission === null) return answer;
    answer = await continueWorkflow(room, answer.continueToken, submission);
  }
  return answer;
}

async function readSubmission(lines: AsyncIterator<string>) {
  const text: string[] = [];
  for (;;) {
    const { value, done } = await lines.next();
    if (done) return null;
    if (text.length === 0 && value.startsWith('{')) {
      const parsed = parseLine(value);
      if (parsed) return parsed;
    }
    if (value === '.') return { notes: text.join('\n'), artifacts: [], context: {} };
    text.push(value);
  }
}

function parseLine(line: string) {
  try {
    const { notes = null, artifacts = [], context = {} } = JSON.parse(line);
    return { notes, artifacts, context };
  } catch {
    return null;
  }
}
