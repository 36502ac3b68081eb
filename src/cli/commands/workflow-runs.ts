import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { withWorkflows } from '#app/workflow/workflow-room.ts';
import { continueWorkflow } from '#app/workflow/workflow-runs.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderAnswer, renderHowToContinue } from '#report/workflow/answer.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { HandedIn, type WorkflowAnswer } from '#schema/workflow-run.ts';
import { oneName, type WorkflowInvocation } from './workflow.ts';

/** Everything about runs of workflows. */
export async function runAction(invocation: WorkflowInvocation, action: string): Promise<ExitCode> {
  const [, ...names] = invocation.positionals;
  switch (action) {
    case 'run': {
      const { walkHere } = await import('./workflow-walk.ts');
      return walkHere(invocation, oneName(names, action));
    }
    case 'continue':
      return withWorkflows(invocation, async (room) => {
        const token = oneName(names, action);
        return printAnswer(invocation, await continueWorkflow(room, token, await submissionOf(invocation)));
      });
    default: {
      const { steerAction } = await import('./workflow-steer.ts');
      return steerAction(invocation, action, names);
    }
  }
}

async function submissionOf({ options, cwd }: WorkflowInvocation) {
  const { notes, artifact, context } = options;
  return {
    notes: notes === '-' ? await readAll(process.stdin) : (notes ?? null),
    artifacts: artifact === undefined ? [] : artifactsIn(jsonOption('--artifact', fromFile(artifact, cwd))),
    context: contextOption(context),
  };
}

function artifactsIn(value: unknown): HandedIn['artifacts'] {
  const { data } = HandedIn.shape.artifacts.safeParse(Array.isArray(value) ? value : [value]);
  if (data) return data;
  throw new UsageError({
    code: 'bad-value',
    message: '--artifact is no JSON object and no list of them',
    hint: `--artifact '{"kind": "wr.loop_control", "decision": "stop"}'`,
  });
}

function fromFile(value: string, cwd: string): string {
  if (!value.startsWith('@')) return value;
  try {
    return readFileSync(resolve(cwd, value.slice(1)), 'utf8');
  } catch (cause) {
    throw new UsageError({
      code: 'unreadable-file',
      message: `${value.slice(1)} cannot be read: ${(cause as Error).message}`,
      hint: '--artifact @file.json',
      cause,
    });
  }
}

export function contextOption(text: string | undefined): Record<string, unknown> {
  const value = text === undefined ? {} : jsonOption('--context', text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new UsageError({
    code: 'bad-value',
    message: '--context is not a JSON object',
    hint: `--context '{"size": "small"}'`,
  });
}

function jsonOption(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError({
      code: 'bad-value',
      message: `${option} is not JSON: ${(cause as Error).message}`,
      hint: `${option} '{"key": "value"}'`,
      cause,
    });
  }
}

/** `isShown`: the person has just read the step. */
export function printAnswer(
  invocation: WorkflowInvocation,
  answer: WorkflowAnswer,
  { isShown = false } = {},
): ExitCode {
  const { globals, terminal, env } = invocation;
  if (globals.json) terminal.printJson(answer);
  else {
    if (!isShown) terminal.print(renderAnswer(answer, pageOf(terminal, env)));
    if (!answer.isComplete) terminal.print(`\nNext: ${renderHowToContinue(answer)}`);
  }
  return exitOf(answer);
}

function exitOf(answer: WorkflowAnswer): ExitCode {
  if (answer.isComplete) return exitCodes.ok;
  return answer.kind === 'stopped' ? exitCodes.findings : exitCodes.needsPerson;
}
