import { exampleHandoff, type Handoff } from '#schema/handoff.ts';
import type { Plan, Task } from '#schema/plan.ts';
import { fitSections, type Prompt, type Section } from './fit-sections.ts';

export type PromptMode = 'full' | 'task-only' | 'blind';

/** What is known about a step when its agent is about to start. */
export interface PromptStep {
  readonly run: string;
  readonly role: string;
  readonly attempt: number;
  readonly task: Task;
  /** Prompt of the role. */
  readonly roleText: string;
  readonly contract: Plan['contract'];
  readonly concerns: readonly string[];
  readonly branch: string;
  /** What the work has to pass, as a text of its own; empty when nothing is defined. */
  readonly gates: string;
  /** What went wrong in the attempt before. */
  readonly findings: readonly string[];
  /** What people added when they asked for another try. */
  readonly context: readonly string[];
  readonly dependencies: readonly { readonly task: string; readonly handoff: Handoff | null }[];
  /** UTF-8 bytes; instructions, task and contract are never cut, whatever they take. */
  readonly maxBytes: number;
}

/** The only text an agent is given: whole sections, in order of importance, and a record of what was left out. */
export function assemblePrompt(step: PromptStep, mode: PromptMode): Prompt {
  return fitSections(sectionsOf(step, mode), step.maxBytes);
}

function sectionsOf(step: PromptStep, mode: PromptMode): Section[] {
  const { task } = step;
  const fixed: Section[] = [
    { id: 'joinery#role', isFixed: true, text: step.roleText },
    { id: 'joinery#instructions', isFixed: true, text: instructions(step) },
    { id: 'plan#task', isFixed: true, text: `# Task ${task.id}: ${task.title}\n\n${task.description}\n` },
    { id: 'plan#acceptance', isFixed: true, text: acceptance(task) },
    { id: 'plan#files', isFixed: true, text: list('Files you may change', task.files) },
    { id: 'joinery#gates', isFixed: true, text: step.gates },
    { id: 'plan#contract', isFixed: true, text: contract(step.contract) },
    { id: 'plan#concerns', isFixed: true, text: list('What every task has to keep in mind', step.concerns) },
  ];
  const review: Section[] = [
    { id: 'review#findings', isFixed: false, text: list('Problems of the attempt before', step.findings) },
    { id: 'review#context', isFixed: false, text: list('What a person adds', step.context) },
  ];
  const reasons: Section[] = [
    { id: 'plan#rationale', isFixed: false, text: task.rationale ? `# Why\n\n${task.rationale}\n` : '' },
    { id: 'plan#assumptions', isFixed: false, text: list('Assumptions', task.assumptions ?? []) },
  ];
  switch (mode) {
    case 'full':
      return [...fixed, ...review, ...reasons, ...step.dependencies.map(dependencySection)];
    case 'task-only':
      return [...fixed, ...review];
    case 'blind':
      return fixed;
  }
}

function instructions({ run, role, attempt, task, branch }: PromptStep): string {
  return [
    '# How to work',
    '',
    `You are the ${role} of task ${task.id} in run ${run}, attempt ${attempt}. The current folder is a git worktree`,
    `of its own on branch ${branch}. Change files in it and nowhere else. Do not commit, push, switch branches or`,
    'rewrite history: that is done for you. Leave no process running.',
    '',
    'Finish with exactly one handoff: your claim of what you did, as JSON in the last block of your last message,',
    'fenced like this. Decisions, assumptions and limitations are for those who build on your work; leave a list',
    'empty rather than invent something. `files` are the files you changed.',
    '',
    '```handoff',
    JSON.stringify(exampleHandoff(run, task.id, attempt, role), null, 1),
    '```',
    '',
    'When a file that is not listed has to change, put it into "amends" of the handoff with the reason. When you cannot',
    'go on, hand in "status": "blocked" with your question as "blocker".',
    '',
  ].join('\n');
}

function acceptance(task: Task): string {
  const lines = task.acceptance.map(
    ({ text, verifyBy, arg }) => `${text} (verified by ${verifyBy}${arg ? `: ${arg}` : ''})`,
  );
  return list('Acceptance', lines);
}

function contract(value: Plan['contract']): string {
  return value ? `# Contract\n\n${JSON.stringify(value, null, 2)}\n` : '';
}

function dependencySection({ task, handoff }: PromptStep['dependencies'][number]): Section {
  const lines = handoff
    ? [
        ...handoff.decisions.map(({ what, why }) => `decided: ${what}, because ${why}`),
        ...handoff.assumptions.map(
          ({ text, verified }) => `assumed${verified ? ' and verified' : ''}: ${text}`,
        ),
        ...handoff.limitations.map((text) => `limit: ${text}`),
        ...handoff.files.map((path) => `file: ${path}`),
      ]
    : [];
  return { id: `handoff/${task}#summary`, isFixed: false, text: list(`From task ${task}`, lines) };
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `# ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`;
}
