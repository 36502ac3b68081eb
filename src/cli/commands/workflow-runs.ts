import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { withWorkflows } from '#app/workflow/workflow-room.ts';
import { continueWorkflow } from '#app/workflow/workflow-runs.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderAnswer, renderHowToContinue } from '#report/workflow/answer.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
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
  const artifacts = artifact === undefined ? [] : jsonOption('--artifact', fromFile(artifact, cwd));
  return {
    notes: notes === '-' ? await readAll(process.stdin) : (notes ?? null),
    artifacts: (Array.isArray(artifacts) ? artifacts : [artifacts]) as Record<string, unknown>[],
    context: contextOption(context),
  };
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

export function printAnswer(invocation: WorkflowInvocation, answer: WorkflowAnswer): ExitCode {
  const { globals, terminal, env } = invocation;
  if (globals.json) terminal.printJson(answer);
  else {
    terminal.print(renderAnswer(answer, pageOf(terminal, env)));
    if (!answer.isComplete) terminal.print(`\nNext: ${renderHowToContinue(answer)}`);
  }
  return exitOf(answer);
}

function exitOf(answer: WorkflowAnswer): ExitCode {
  if (answer.isComplete) return exitCodes.ok;
  return answer.kind === 'stopped' ? exitCodes.findings : exitCodes.needsPerson;
}
