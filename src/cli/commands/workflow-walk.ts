import { createInterface } from 'node:readline';
import { driveHere } from '#app/workflow/drive-here.ts';
import { type WorkflowRoom, withWorkflows } from '#app/workflow/workflow-room.ts';
import { continueWorkflow, startWorkflow } from '#app/workflow/workflow-runs.ts';
import { readInput } from '#app/workplace/input-file.ts';
import { pageOf } from '#cli/terminal/page.ts';
import type { Terminal } from '#cli/terminal/terminal.ts';
import { renderAnswer } from '#report/workflow/answer.ts';
import type { ExitCode } from '#schema/exit-codes.ts';
import { Scenario } from '#schema/scenario.ts';
import { HandedIn, type WorkflowAnswer } from '#schema/workflow-run.ts';
import type { WorkflowInvocation } from './workflow.ts';
import { contextOption, printAnswer } from './workflow-runs.ts';

/** Starts a workflow and follows it: with an agent, or with the person at this terminal. */
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

/** The same for a run that has already started. */
export async function walkOn(
  invocation: WorkflowInvocation,
  room: WorkflowRoom,
  answer: WorkflowAnswer,
): Promise<ExitCode> {
  const { options, cwd, terminal } = invocation;
  if (options.agent === undefined) {
    const last = await walkByHand(invocation, room, answer);
    return printAnswer(invocation, last, { isShown: last.continueToken !== null });
  }
  const scenario =
    options.scenario === undefined ? null : readInput(cwd, options.scenario, Scenario, 'scenario');
  const wish = { agent: options.agent, scenario, tell: (line: string) => terminal.note(line) };
  return printAnswer(invocation, await driveHere(invocation, room, answer, wish));
}

/** One answer per step: text up to a line with one dot, or one line of JSON. End of input ends the text and the command. */
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
    const submission = await readSubmission(lines, terminal);
    if (submission === null) return answer;
    answer = await continueWorkflow(room, answer.continueToken, submission);
  }
  return answer;
}

async function readSubmission(
  lines: AsyncIterator<string>,
  terminal: Pick<Terminal, 'warn'>,
): Promise<HandedIn | null> {
  const text: string[] = [];
  for (;;) {
    const { value, done } = await lines.next();
    const json = text.length === 0 && !done && value.startsWith('{') ? parseLine(value) : undefined;
    const read = json === undefined ? null : HandedIn.safeParse(json);
    if (read?.success) return read.data;
    if (read) {
      const issue = read.error.issues[0];
      terminal.warn(
        `that line of JSON was not taken: ${[...(issue?.path ?? []), issue?.message].join(': ')}`,
      );
      continue;
    }
    if (done && text.length === 0) return null;
    if (done || value === '.') return { notes: text.join('\n'), artifacts: [], context: {} };
    text.push(value);
  }
}

/** undefined: it is text that only starts like JSON. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
