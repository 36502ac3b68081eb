import type { CompiledLoop, CompiledStep, CompiledWorkflow } from '#schema/compiled-workflow.ts';
import { LoopDecision } from '#schema/phase-handoffs.ts';
import { TodoArtifact } from '#schema/workflow-artifacts.ts';
import type { Blocker, WorkflowNode } from '#schema/workflow-run.ts';
import type { Context } from '#workflow/language/condition.ts';
import { checkContractOutput } from './check-artifact.ts';
import { checkAssessments } from './check-assessment.ts';
import { checkProse } from './check-prose.ts';
import type { Submission } from './submission.ts';

export interface Judgement {
  /** Empty: the step is accepted. */
  readonly blockers: readonly Blocker[];
  readonly levels: WorkflowNode['levels'];
  /** Decision about the innermost loop. */
  readonly decision: 'continue' | 'stop' | null;
}

/** Checks whether a submission is what the step asks for. */
export function judgeSubmission(
  workflow: CompiledWorkflow,
  step: CompiledStep,
  loops: readonly CompiledLoop[],
  submission: Submission,
  context: Context,
): Judgement {
  const contract = step.outputContract;
  const { blockers: owed, levels } = checkAssessments(step, workflow.assessments, submission);
  const control = loopDecision(loops.at(-1), submission);
  const blockers = [
    ...(contract
      ? checkContractOutput(
          contract.contractRef,
          contract.required,
          submission,
          workflow.contractSchemas?.[contract.contractRef],
        )
      : []),
    ...owed,
    ...control.blockers,
    ...checkNotes(step, submission),
    ...(step.validation ? checkProse(step.validation, submission.notes ?? '', context) : []),
    ...checkTodo(step, submission),
    ...checkProduced(step, context),
  ];
  return { blockers, levels: [...levels], decision: control.decision };
}

function checkNotes(step: CompiledStep, { notes }: Submission): Blocker[] {
  if (step.notesOptional || step.outputContract || (notes ?? '').trim() !== '') return [];
  return [
    {
      code: 'MISSING_REQUIRED_NOTES',
      about: step.id,
      message: 'notes are missing',
      fix: 'hand in output.notesMarkdown: what was done, what was found, what was decided and why, what is open. For example:\n"Read src/cache.ts and its tests. The key lacks the parser version, so old entries are served after an update. Decision: put the version into the key; migration is not needed because a miss only costs time. Open: the size limit."',
    },
  ];
}

function loopDecision(
  loop: CompiledLoop | undefined,
  { artifacts }: Submission,
): { decision: Judgement['decision']; blockers: Blocker[] } {
  const source = loop?.loop.source;
  if (source?.kind !== 'artifact') return { decision: null, blockers: [] };
  const valid = artifacts.flatMap((each) => {
    const parsed = LoopDecision.safeParse(each);
    return parsed.success ? [parsed.data] : [];
  });
  const last = valid.at(-1);
  if (!last) return { decision: null, blockers: [] };
  if (last.loopId !== undefined && !source.loopIds.includes(last.loopId)) {
    const message = `loopId is "${last.loopId}", and this is the loop "${source.loopIds[0]}"`;
    const fix = `leave loopId out, or hand in:\n${JSON.stringify({ kind: 'wr.loop_control', decision: last.decision, loopId: source.loopIds[0] })}`;
    return {
      decision: null,
      blockers: [{ code: 'INVALID_REQUIRED_OUTPUT', about: source.contractRef, message, fix }],
    };
  }
  return { decision: last.decision, blockers: [] };
}

function checkTodo({ id, todoList }: CompiledStep, { artifacts }: Submission): Blocker[] {
  if (todoList.length === 0) return [];
  const parsed = TodoArtifact.safeParse(artifacts.find(({ kind }) => kind === 'joinery.todo_list'));
  const told = new Map(parsed.success ? parsed.data.items.map((each) => [each.item, each]) : []);
  const open = todoList.flatMap((text, at) => {
    const entry = told.get(at + 1);
    if (entry?.status === 'done' || (entry?.status === 'dropped' && (entry.note ?? '').trim() !== ''))
      return [];
    return [`${at + 1}. ${text}${entry ? ' (dropped without a reason)' : ''}`];
  });
  if (open.length === 0) return [];
  const items = todoList.map((_, at) => ({ item: at + 1, status: 'done' }));
  return [
    {
      code: 'TODO_LIST_OPEN',
      about: id,
      message: `not ticked off: ${open.join('; ')}`,
      fix: `do them, or drop one with a note that says why, and hand in output.artifacts with:\n${JSON.stringify({ kind: 'joinery.todo_list', items })}`,
    },
  ];
}

function checkProduced({ produces }: CompiledStep, context: Context): Blocker[] {
  return produces
    .filter((name) => !Object.hasOwn(context, name))
    .map((name) => ({
      code: 'MISSING_CONTEXT_KEY',
      about: name,
      message: `this step sets the variable ${name}, and it is not set`,
      fix: `hand in context, for example: ${JSON.stringify({ [name]: '…' })}`,
    }));
}
