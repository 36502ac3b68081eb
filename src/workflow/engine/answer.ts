import type { CompiledWorkflow } from '#schema/compiled-workflow.ts';
import type { Condition, Confirmation, GateKind } from '#schema/workflow.ts';
import type { WorkflowAnswer, WorkflowStarted } from '#schema/workflow-run.ts';
import { type Context, holds } from '#workflow/language/condition.ts';
import { contextAt, loopsAt, type Position, stepAt } from '#workflow/machine/position.ts';
import { renderStep } from '#workflow/prompt/render-step.ts';
import type { NumberedNode } from './log.ts';
import { type Keyring, mintToken } from './tokens.ts';

/** A run at one of its nodes. */
export interface Standing {
  readonly run: string;
  readonly started: WorkflowStarted;
  readonly workflow: CompiledWorkflow;
  readonly node: NumberedNode;
  readonly context: Context;
}

export interface AnswerExtras {
  /** Which of several continuations of the node the continue token is for. */
  readonly attempt?: number;
  readonly recovery?: string;
  readonly warnings?: readonly string[];
}

/** The answer about a node: only the pending step, never a later one. */
export function answerAt(standing: Standing, keys: Keyring, extras: AnswerExtras = {}): WorkflowAnswer {
  const { run, started, workflow, node } = standing;
  const place = { run, node: node.node, attempt: extras.attempt ?? 0 };
  const isOpen = node.kind === 'step' || node.kind === 'blocked' || node.kind === 'checkpoint';
  const continueToken = isOpen ? mintToken(keys, 'continue', place) : null;
  const resumeToken = mintToken(keys, 'resume', { ...place, attempt: 0 });
  return {
    schema: 'joinery/workflow-answer@1',
    kind: kindOf(node),
    sessionId: run,
    nodeId: `n${node.node}`,
    workflowId: workflow.id,
    workflowHash: started.hash,
    isComplete: node.kind === 'complete',
    pending: isOpen ? pendingStep(standing, extras.recovery ?? '') : null,
    continueToken,
    checkpointToken: isOpen ? mintToken(keys, 'checkpoint', { ...place, attempt: 0 }) : null,
    resumeToken,
    nextIntent: intentOf(standing),
    nextCall: continueToken ? { tool: 'continue_workflow', params: { continueToken } } : null,
    ...(node.kind === 'blocked' || node.kind === 'stopped'
      ? { retryable: node.kind === 'blocked', blockers: node.blockers }
      : {}),
    ...(node.kind === 'gate'
      ? {
          gate: {
            stepId: stepAt(workflow, node.position as unknown as Position).id,
            gateKind: node.gate?.kind ?? 'coordinator_eval',
            rationale: node.verdict?.rationale ?? null,
          },
        }
      : {}),
    warnings: [...(extras.warnings ?? []), ...traceWarnings(node)],
    ...(node.parent === null && workflow.references.length > 0
      ? {
          references: workflow.references.map(({ id, title, source, purpose, isFound }) => ({
            id,
            title,
            source,
            purpose,
            isFound,
          })),
        }
      : {}),
  };
}

function kindOf({ kind }: NumberedNode): WorkflowAnswer['kind'] {
  switch (kind) {
    case 'blocked':
      return 'blocked';
    case 'gate':
      return 'gate_checkpoint';
    case 'stopped':
      return 'stopped';
    case 'step':
    case 'checkpoint':
    case 'complete':
      return 'ok';
  }
}

function intentOf({ node, workflow, started, context }: Standing): WorkflowAnswer['nextIntent'] {
  if (node.kind === 'complete') return 'complete';
  if (node.kind === 'gate' || node.kind === 'stopped' || node.position === null) return 'rehydrate_only';
  const position = node.position as unknown as Position;
  const { requireConfirmation } = stepAt(workflow, position);
  const seen = contextAt(loopsAt(workflow, position), position, context);
  return started.mode === 'interactive' && gateOf(requireConfirmation, seen) !== null
    ? 'await_user_confirmation'
    : 'perform_pending_then_continue';
}

function pendingStep({ workflow, node, context }: Standing, recovery: string): WorkflowAnswer['pending'] {
  const position = node.position as unknown as Position;
  const step = stepAt(workflow, position);
  const { title, prompt } = renderStep({
    workflow,
    position,
    context,
    hasNotes: node.hasNotes,
    isFirst: node.parent === null,
    rejection: node.reason,
    recovery,
  });
  const tier = step.modelTier ?? workflow.modelTier;
  return {
    stepId: step.id,
    instance: node.step ?? step.id,
    title,
    prompt,
    ...(step.agentRole ? { agentRole: step.agentRole } : {}),
    ...(tier ? { modelTier: tier } : {}),
  };
}

/** Warns about limits that cut something short. */
function traceWarnings({ trace }: NumberedNode): string[] {
  return trace.flatMap(({ kind, step, detail }) => {
    if (kind === 'max_iterations_reached') return [`loop ${step} ended at its limit of ${detail} passes`];
    if (kind === 'max_jumps_reached') return [`step ${step} did not jump again ${detail}`];
    return [];
  });
}

/** The gate of a step in this context; null if it needs no confirmation. */
export function gateOf(confirmation: Confirmation | undefined, context: Context): GateKind | null {
  if (confirmation === undefined || confirmation === false) return null;
  if (confirmation === true) return 'coordinator_eval';
  const { kind, condition, ...own } = confirmation;
  const wanted = condition ?? (own as Condition);
  return holds(wanted, context) ? (kind ?? 'coordinator_eval') : null;
}
