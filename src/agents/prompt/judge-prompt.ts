import type { AssembledPrompt } from './assemble-prompt.ts';
import { fenced } from './fenced.ts';
import { fitSections } from './fit-sections.ts';
import { isolate, type Part } from './isolate.ts';
import type { Isolation } from './isolation.ts';

/** What an agent that judges the work of others may receive. */
export interface JudgeStep {
  readonly role: string;
  readonly roleText: string;
  /** The required answer format. */
  readonly format: string;
  /** What is to be judged. */
  readonly inputs: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  /** Ambient context: guides of the project. A judge does not see it. */
  readonly ambient: readonly { readonly id: string; readonly text: string }[];
  /** Why the last answer could not be used. */
  readonly problems: readonly string[];
  readonly maxBytes: number;
}

/** For challengers and evaluators: only what they judge, unless a step declares another isolation. */
export function judgePrompt(step: JudgeStep, declared: Isolation | null = null): AssembledPrompt {
  const part = (key: Part['key'], id: string, text: string): Part => ({
    key,
    id,
    text,
    isFixed: key === null,
  });
  const { mode, open, isolated } = isolate(
    [
      part(null, 'joinery#role', step.roleText),
      part(null, 'joinery#answer', step.format),
      ...step.ambient.map(({ id, text }) => part('ambient', id, text)),
      ...step.inputs.map(({ id, title, text }) => ({
        ...part('inputs', id, `# ${title}\n\n${fenced(text)}\n`),
        isFixed: true,
      })),
      part(null, 'joinery#problems', problemsText(step.problems)),
    ],
    step.role,
    declared,
  );
  return { ...fitSections(open, step.maxBytes), mode, role: step.role, isolated };
}

function problemsText(problems: readonly string[]): string {
  if (problems.length === 0) return '';
  return `# Your last answer could not be used\n\n${fenced(problems.join('\n'))}\n`;
}
