import { fitSections, type Prompt } from '#agents/prompt/fit-sections.ts';
import type { Triage } from '#schema/defect.ts';

interface Work {
  readonly role: string;
  readonly report: { readonly path: string; readonly text: string };
  readonly triage: Triage;
  /** Why the previous attempt was not accepted. */
  readonly problems: readonly string[];
}

const promptBytes = 200_000;

const place = [
  '# Where you work',
  '',
  'The current folder is your own git worktree. Change files only in it. Do not commit, push, switch branches or rewrite',
  'history: Joinery does that. Leave no process running.',
  '',
].join('\n');

export function reproducePrompt(work: Work, tests: readonly string[]): Prompt {
  return assemble(work, [
    `# How it is judged\n\nThese commands run the tests. At least one test has to fail that did not exist before:\n\n${lines(tests)}\n`,
  ]);
}

export function fixPrompt(work: Work, red: readonly string[]): Prompt {
  return assemble(work, [
    `# Files you may change\n\n${lines(work.triage.affectedFiles)}\n`,
    `# Tests that fail and have to pass\n\n${lines(red)}\n`,
  ]);
}

function assemble({ role, report, triage, problems }: Work, parts: readonly string[]): Prompt {
  return fitSections(
    [
      { id: 'joinery#role', isFixed: true, text: role },
      { id: 'joinery#place', isFixed: true, text: place },
      { id: 'report#text', isFixed: true, text: `# The report: ${report.path}\n\n${report.text.trim()}\n` },
      { id: 'triage#cause', isFixed: true, text: cause(triage) },
      ...parts.map((text, index) => ({ id: `joinery#part-${index + 1}`, isFixed: true, text })),
      {
        id: 'review#problems',
        isFixed: true,
        text: problems.length === 0 ? '' : `# Problems of the previous attempt\n\n${lines(problems)}\n`,
      },
    ],
    promptBytes,
  );
}

function cause({ rootCauseHypothesis, suggestedApproach }: Triage): string {
  const said = [rootCauseHypothesis, suggestedApproach].filter((text) => text !== '');
  return said.length === 0 ? '' : `# What is suspected\n\n${said.join('\n\n')}\n`;
}

function lines(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
