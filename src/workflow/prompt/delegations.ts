import { renderPackage } from '#handoff/context/render-package.ts';
import type { Delegation } from '#schema/workflow.ts';
import { type Context, holds } from '#workflow/language/condition.ts';
import { fillIn } from './placeholders.ts';

/** A delegation whose condition holds, with its values filled in. */
export interface ActiveDelegation {
  readonly workflow: string;
  readonly goal: string;
  readonly values: Readonly<Record<string, string>>;
  readonly modelTier: string | null;
  readonly allowedTools: readonly string[];
  readonly isolation: 'full' | 'task-only' | 'blind';
  readonly mode: 'read' | 'edit';
}

/** The delegations whose conditions hold in this context. Arguments win over mapped values. */
export function activeDelegations(delegations: readonly Delegation[], context: Context): ActiveDelegation[] {
  return delegations
    .filter(({ runCondition }) => holds(runCondition, context))
    .map((each) => ({
      workflow: each.workflowId,
      goal: goalOf(each, context),
      values: {
        ...Object.fromEntries(
          Object.entries(each.contextMapping ?? {}).map(([from, to]) => [to, asText(context[from])]),
        ),
        ...Object.fromEntries(
          Object.entries(each.args ?? {}).map(([key, value]) => [key, fillIn(value, context)]),
        ),
      },
      modelTier: each.modelTier ?? null,
      allowedTools: each.allowedTools ?? [],
      isolation: each.isolation ?? 'task-only',
      mode: each.mode ?? 'read',
    }));
}

/** The goal, with the author's package for the delegate if there is one. */
function goalOf({ goal, package: given }: Delegation, context: Context): string {
  const filled = fillIn(goal ?? '{{goal}}', context);
  if (!given) return filled;
  const fill = (lines: readonly string[]) => lines.map((line) => fillIn(line, context));
  return renderPackage({
    ...given,
    goal: filled,
    knownFacts: fill(given.knownFacts),
    alreadyRuledOut: fill(given.alreadyRuledOut),
    constraints: fill(given.constraints),
    definitionOfDone: fill(given.definitionOfDone),
  });
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The request to an agent that has to start the delegates itself. */
export function renderDelegations(delegations: readonly Delegation[], context: Context): string {
  const active = activeDelegations(delegations, context);
  if (active.length === 0) return 'None of the delegations applies here: continue at once.';
  return [
    `Start these ${active.length === 1 ? 'one delegate' : `${active.length} delegates in parallel`}, wait for all of them, then continue. Each follows a workflow of its own (start_workflow).`,
    ...active.map((each, at) => renderOne(each, at + 1)),
  ].join('\n\n');
}

function renderOne(delegation: ActiveDelegation, number: number): string {
  const { workflow, goal, values, modelTier, allowedTools, isolation, mode } = delegation;
  return [
    `${number}. Workflow \`${workflow}\``,
    `   - Goal: ${goal}`,
    ...Object.entries(values).map(([key, value]) => `   - ${key}: ${value}`),
    ...(modelTier === null ? [] : [`   - Model tier: ${modelTier}`]),
    ...(allowedTools.length === 0 ? [] : [`   - Tools: ${allowedTools.join(', ')}`]),
    `   - Sees: ${{ full: 'the whole context', 'task-only': 'the values above', blind: 'the goal alone' }[isolation]}`,
    `   - ${mode === 'read' ? 'Changes no file' : 'Works in a worktree of its own'}`,
  ].join('\n');
}
