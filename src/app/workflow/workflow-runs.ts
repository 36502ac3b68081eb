import type { Repository } from '#git/call/repository.ts';
import { readRef } from '#git/merges/branches.ts';
import { shellWord } from '#lib/shell-word.ts';
import { UsageError } from '#schema/errors.ts';
import type { WorkflowAnswer, workflowModes } from '#schema/workflow-run.ts';
import type { Submission } from '#workflow/contracts/submission.ts';
import { demandCompiled, demandWorkflow } from './describe-workflows.ts';
import type { WorkflowRoom } from './workflow-room.ts';

export interface StartWish {
  readonly workflow: string;
  readonly goal: string;
  readonly mode: (typeof workflowModes)[number];
  readonly context?: Readonly<Record<string, unknown>>;
  readonly parent?: { readonly run: string; readonly node: number };
}

export async function startWorkflow(room: WorkflowRoom, wish: StartWish): Promise<WorkflowAnswer> {
  const found = demandWorkflow(room.catalogue, wish.workflow);
  const { compiled, hash } = demandCompiled(room.catalogue, found);
  if (wish.goal.trim() === '') {
    throw new UsageError({
      code: 'no-goal',
      message: 'what is the goal?',
      hint: `joinery workflow run ${shellWord(wish.workflow)} --goal "what to achieve"`,
    });
  }
  const { branch, head } = await whereAt(room.repository);
  return room.engine.start(
    compiled,
    hash,
    {
      source: { kind: found.kind, path: found.file },
      goal: wish.goal,
      mode: wish.mode,
      workspace: room.workspace,
      branch,
      head,
      parent: wish.parent ?? null,
    },
    wish.context ?? {},
  );
}

export async function continueWorkflow(
  room: WorkflowRoom,
  token: string,
  submission: Submission,
  signal?: AbortSignal,
): Promise<WorkflowAnswer> {
  return JSON.parse(await room.engine.continue(token, submission, signal)) as WorkflowAnswer;
}

export async function whereAt({ git }: Repository): Promise<{ branch: string | null; head: string | null }> {
  const { stdout, code } = await git.run(['symbolic-ref', '--short', '-q', 'HEAD'], { accept: [0, 1, 128] });
  return { branch: code === 0 ? stdout.toString('utf8').trim() : null, head: await readRef(git, 'HEAD') };
}
