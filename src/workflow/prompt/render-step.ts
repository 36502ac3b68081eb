import type { CompiledLoop, CompiledStep, CompiledWorkflow } from '#schema/compiled-workflow.ts';
import { exampleOf } from '#workflow/contracts/check-artifact.ts';
import { exampleFor } from '#workflow/contracts/check-assessment.ts';
import { describeRule } from '#workflow/contracts/check-prose.ts';
import { outputContract } from '#workflow/contracts/registry.ts';
import { type Context, holds } from '#workflow/language/condition.ts';
import { contextAt, loopsAt, type Position, stepAt } from '#workflow/machine/position.ts';
import { renderDelegations } from './delegations.ts';
import { metricsFooter } from './metrics.ts';
import { fillIn } from './placeholders.ts';

export interface StepView {
  readonly workflow: CompiledWorkflow;
  readonly position: Position;
  readonly context: Context;
  /** This branch already has notes: the long explanation is not repeated. */
  readonly hasNotes: boolean;
  readonly isFirst: boolean;
  /** Why a gate sent the step back. */
  readonly rejection: string | null;
  /** A recap for an agent that resumes. */
  readonly recovery: string;
}

/** The full prompt of a step, in a fixed order. */
export function renderStep(view: StepView): { title: string; prompt: string } {
  const { workflow, position } = view;
  const step = stepAt(workflow, position);
  const loops = loopsAt(workflow, position);
  const context = contextAt(loops, position, view.context);
  const sections = [
    view.rejection === null
      ? ''
      : `## Sent back\nThis step was refused: ${view.rejection}\nDo it again with that in mind.`,
    view.isFirst ? renderOpening(workflow, context) : '',
    loopBanner(step, loops, position, context),
    step.delegations ? renderDelegations(step.delegations, context) : fillIn(step.prompt, context),
    step.check ? renderCheck(step) : '',
    list(
      'Guidance',
      step.guidance.map((text) => fillIn(text, context)),
    ),
    step.askForFiles ? 'Ask for the files you need before you start.' : '',
    list('What the notes must satisfy (System)', (step.validation ?? []).map(describeRule)),
    renderContract(step),
    renderAssessments(step, workflow),
    renderTodo(step),
    list(
      'Variables to set (System)',
      step.produces.map((name) => `context.${name}`),
    ),
    renderNotes(step, view.hasNotes),
    ...step.fragments.filter(({ when }) => holds(when, context)).map(({ text }) => fillIn(text, context)),
    renderFunctions(step, workflow),
    metricsFooter(workflow.metrics, step.isLast),
    view.recovery,
  ];
  return { title: fillIn(step.title, context), prompt: sections.filter((text) => text !== '').join('\n\n') };
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function renderOpening(
  { preconditions, clarifications, references }: CompiledWorkflow,
  context: Context,
): string {
  return [
    list(
      'Preconditions',
      preconditions.map((text) => fillIn(text, context)),
    ),
    list(
      'Clear up first',
      clarifications.map((text) => fillIn(text, context)),
    ),
    list(
      'References',
      references.map(
        ({ title, source, purpose, isFound, authoritative }) =>
          `${title} (${source}${isFound ? '' : ', not found'})${authoritative ? ', authoritative' : ''}: ${purpose}`,
      ),
    ),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

const barLength = 10;

/** The position of the step in a loop. The step that controls the loop gets no hint in either direction. */
function loopBanner(
  step: CompiledStep,
  loops: readonly CompiledLoop[],
  position: Position,
  context: Context,
): string {
  const inner = loops.at(-1);
  if (!inner || step.outputContract?.contractRef === 'wr.contracts.loop_control') return '';
  const pass = (position.at(-1)?.pass ?? 0) + 1;
  const { loop } = inner;
  const items = loop.type === 'forEach' ? context[loop.items ?? ''] : undefined;
  const most = Array.isArray(items) ? items.length : loop.maxIterations;
  if (loop.type === 'forEach') return `**${inner.title}**: item ${pass} of ${most}`;
  if (pass === 1) return `**${inner.title}** (up to ${most} passes)`;
  const done = Math.round((pass / most) * barLength);
  const bar = `[${'█'.repeat(done)}${'░'.repeat(barLength - done)}] Pass ${pass} of ${most}`;
  const scope =
    pass >= most
      ? 'Final pass: settle what is open.'
      : pass === 2
        ? 'Look at what the first pass missed.'
        : 'Look for what is still worth the effort.';
  return `**${inner.title}** ${bar}\n${scope}`;
}

function renderContract({ outputContract: wanted }: CompiledStep): string {
  if (!wanted) return '';
  const contract = outputContract(wanted.contractRef);
  return [
    '## Output requirements (System)',
    `Hand in ${wanted.required ? '' : '(optional) '}an artifact of kind "${contract?.kind ?? wanted.contractRef}": ${contract?.purpose ?? ''}. For example:`,
    '```json',
    exampleOf(wanted.contractRef),
    '```',
  ].join('\n');
}

function renderAssessments({ assessmentRefs }: CompiledStep, { assessments }: CompiledWorkflow): string {
  const wanted = assessments.filter(({ id }) => assessmentRefs.includes(id));
  if (wanted.length === 0) return '';
  return [
    '## Assessment requirements (System)',
    ...wanted.flatMap((assessment) => [
      `"${assessment.id}": ${assessment.purpose}`,
      ...assessment.dimensions.map(
        ({ id, purpose, levels, required = true }) =>
          `- ${id}${required ? '' : ' (optional)'}: ${purpose}. Levels: ${levels.join(', ')}`,
      ),
      '```json',
      exampleFor(assessment),
      '```',
    ]),
  ].join('\n');
}

function renderTodo({ todoList }: CompiledStep): string {
  if (todoList.length === 0) return '';
  return [
    '## To do (System)',
    ...todoList.map((text, at) => `${at + 1}. ${text}`),
    'Hand in an artifact of kind "joinery.todo_list" that says "done" or "dropped" (with a note) for each number.',
  ].join('\n');
}

function renderCheck({ check }: CompiledStep): string {
  const what = {
    gates: 'the quality gates of this project',
    ground: 'the grounding checks of this branch',
    check: 'the check of this branch against its base',
    command: 'a command whose result is recorded as evidence',
  }[check?.kind ?? 'command'];
  const command = check?.kind === 'command' ? `\n\n    ${check.argv.join(' ')}` : '';
  return `## Check (System)\nJoinery itself runs ${what}.${command}\nContinue with the token when the work is ready; nothing you hand in changes the result.`;
}

function renderNotes(step: CompiledStep, hasNotes: boolean): string {
  if (step.notesOptional || step.outputContract) return '';
  const short = '## Notes required (System)\nHand in output.notesMarkdown for this step.';
  if (hasNotes) return short;
  return [
    short,
    'Write for a reader who has only the notes: what was done and found, what was decided and why, what is open.',
    'Good: "Read src/cache.ts. The key lacks the parser version, so old entries are served. Decision: add it."',
    'Bad: "Looked at the code, all fine."',
  ].join('\n');
}

function renderFunctions({ functionReferences }: CompiledStep, { functions }: CompiledWorkflow): string {
  const wanted = functions.filter(({ name }) => functionReferences.includes(name));
  return list(
    'Definitions',
    wanted.map(({ name, definition }) => `${name}: ${definition}`),
  );
}
