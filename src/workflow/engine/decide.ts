import type { CompiledStep } from '#schema/compiled-workflow.ts';
import type { Blocker, CheckOutcome, GateVerdict, WorkflowNode } from '#schema/workflow-run.ts';
import { judgeSubmission } from '#workflow/contracts/judge.ts';
import type { Submission } from '#workflow/contracts/submission.ts';
import type { Context } from '#workflow/language/condition.ts';
import { mergeContext } from '#workflow/machine/context-limits.ts';
import { type Next, nextStep } from '#workflow/machine/next-step.ts';
import {
  contextAt,
  type Frame,
  instanceKey,
  loopsAt,
  type Position,
  stepAt,
} from '#workflow/machine/position.ts';
import { gateOf, type Standing } from './answer.ts';

/** The next node of a run, without the hash of its context. */
export type Outcome = Omit<WorkflowNode, 'context' | 'output' | 'parent'> & { readonly values: Context };

/** A run stops after this many blocked answers in a row. */
const patience = { interactive: 10, autonomous: 3 } as const;

/** How many times a gate decided by an agent may send a step back. */
const mostRejections = 2;

/** Longer traces are cut; the answer says how much was left out. */
const longestTrace = 200;

/** The result of a submission for the pending step. */
export function decideAdvance(
  standing: Standing,
  submission: Submission,
  check: CheckOutcome | null,
  isFork: boolean,
): Outcome {
  const { workflow, node, started } = standing;
  const position = positionOf(node);
  const step = stepAt(workflow, position);
  const loops = loopsAt(workflow, position);
  const values = mergeContext(standing.context, submission.context);
  const seen = contextAt(loops, position, values);
  const { blockers, levels, decision } = judgeSubmission(workflow, step, loops, submission, seen);
  const failed = step.check ? checkBlockers(step, check) : [];
  const all = step.check ? failed : blockers;
  const common = { check, levels, hasNotes: node.hasNotes || (submission.notes ?? '').trim() !== '' };
  if (all.length > 0) return { ...blocked(standing, all), ...common };
  const gate = started.mode === 'autonomous' ? gateOf(step.requireConfirmation, seen) : null;
  if (gate !== null) {
    const frame = position.at(-1) as Frame;
    const kept = [...position.slice(0, -1), decision === null ? frame : { ...frame, decision }];
    return {
      ...blank,
      ...common,
      kind: 'gate',
      cause: 'parked',
      position: kept,
      step: node.step,
      rejections: node.rejections,
      gate: { kind: gate },
      values,
    };
  }
  const next = nextStep(workflow, position, values, decision);
  return { ...arrive(standing, next, values, isFork ? 'forked' : 'advanced'), ...common };
}

/** The result of the decision at a gate. */
export function decideGate(standing: Standing, verdict: GateVerdict): Outcome {
  const { workflow, node, context } = standing;
  const position = positionOf(node);
  const common = { verdict, hasNotes: node.hasNotes, check: null, levels: [] };
  switch (verdict.verdict) {
    case 'approved': {
      const decision = position.at(-1)?.decision ?? null;
      const next = nextStep(workflow, position, context, decision);
      return { ...arrive(standing, next, context, 'approved'), ...common };
    }
    case 'rejected':
      if (verdict.by === 'person' || node.rejections < mostRejections)
        return {
          ...blank,
          ...common,
          kind: 'step',
          cause: 'rejected',
          position: withoutDecision(position),
          step: node.step,
          rejections: node.rejections + 1,
          reason: verdict.rationale,
          values: context,
        };
      return asked(standing, common);
    case 'uncertain':
      return asked(standing, common);
  }
}

/** The run stays at the gate, and now a person is asked. */
function asked(standing: Standing, common: Partial<Outcome>): Outcome {
  const { node, context } = standing;
  return {
    ...blank,
    ...common,
    kind: 'gate',
    cause: 'uncertain',
    position: node.position,
    step: node.step,
    rejections: node.rejections,
    gate: { kind: 'human_approval' },
    values: context,
  };
}

export function arrive(
  standing: Omit<Standing, 'node'>,
  next: Next,
  values: Context,
  cause: Outcome['cause'],
): Outcome {
  const { workflow } = standing;
  switch (next.kind) {
    case 'step': {
      const step = stepAt(workflow, next.position);
      return {
        ...blank,
        kind: 'step',
        cause,
        position: [...next.position],
        step: instanceKey(loopsAt(workflow, next.position), next.position, step.id),
        trace: bounded(next.trace),
        values,
      };
    }
    case 'complete':
      return {
        ...blank,
        kind: 'complete',
        cause,
        position: null,
        step: null,
        trace: bounded(next.trace),
        values,
      };
    case 'stuck':
      if (!('node' in standing)) throw new Error(next.message);
      return blocked(standing as Standing, [
        {
          code: next.code as Blocker['code'],
          about: 'context',
          message: next.message,
          fix: 'hand in the step again with the context set right',
        },
      ]);
  }
}

function bounded(trace: readonly WorkflowNode['trace'][number][]): WorkflowNode['trace'] {
  if (trace.length <= longestTrace) return [...trace];
  const left = trace.length - longestTrace;
  return [...trace.slice(0, longestTrace), { kind: 'not_told', step: '', detail: `${left} more` }];
}

function blocked(standing: Standing, blockers: readonly Blocker[]): Outcome {
  const { node, started, context } = standing;
  const streak = node.streak + 1;
  const isOver = streak >= patience[started.mode];
  return {
    ...blank,
    kind: isOver ? 'stopped' : 'blocked',
    cause: 'blocked',
    // Nothing was accepted: position and context stay unchanged.
    position: node.position,
    step: node.step,
    streak,
    rejections: node.rejections,
    reason: node.reason,
    blockers: blockers.slice(0, 10),
    values: context,
  };
}

const blank = {
  hasNotes: false,
  streak: 0,
  rejections: 0,
  reason: null,
  blockers: [],
  levels: [],
  check: null,
  gate: null,
  verdict: null,
  trace: [],
};

function checkBlockers(step: CompiledStep, check: CheckOutcome | null): Blocker[] {
  if (check?.status === 'pass') return [];
  return [
    {
      code: 'CHECK_FAILED',
      about: step.check?.kind ?? step.id,
      message: check ? `${check.status}: ${check.summary}` : 'the check did not run here',
      fix: 'put the work right and continue; the check runs again',
    },
  ];
}

function positionOf(node: WorkflowNode): Position {
  return node.position as unknown as Position;
}

function withoutDecision(position: Position): Frame[] {
  return position.map(({ index, pass, jumps }) => ({ index, pass, ...(jumps ? { jumps } : {}) }));
}
