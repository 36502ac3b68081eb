import { fenced } from '#agents/prompt/fenced.ts';
import { fitSections, type Prompt } from '#agents/prompt/fit-sections.ts';
import type { SpecBundle } from '#planning/spec/spec.ts';
import { exampleContract } from '#schema/contract.ts';

export interface ArchitectInput {
  readonly role: string;
  readonly spec: SpecBundle;
  /** The outline of the code, as text. */
  readonly outline: string;
  readonly context?: string;
  /** What the project tells its agents, as on base. */
  readonly guides?: readonly (readonly [path: string, text: string])[];
  /** The refused answer and the reasons; null in the first prompt. */
  readonly refused: { readonly answer: string; readonly problems: readonly string[] } | null;
}

/** Fits into the context of every model that plans. */
const promptBytes = 200_000;

export function architectPrompt({
  role,
  spec,
  outline,
  refused,
  context = '',
  guides = [],
}: ArchitectInput): Prompt {
  return fitSections(
    [
      { id: 'joinery#role', isFixed: true, text: role },
      { id: 'joinery#answer', isFixed: true, text: answerFormat },
      { id: 'spec#text', isFixed: true, text: `# The spec: ${spec.path}\n\n${spec.text.trim()}\n` },
      {
        id: 'person#context',
        isFixed: true,
        text: context === '' ? '' : `# What a person adds\n\n${context.trim()}\n`,
      },
      {
        id: 'answer#problems',
        isFixed: true,
        text: refused ? repair(refused.problems) : '',
      },
      {
        id: 'answer#refused',
        isFixed: false,
        text: refused ? `# Your answer\n\n${refused.answer.trim()}\n` : '',
      },
      ...spec.linked.map(({ path, text }) => ({
        id: `linked/${path}#text`,
        isFixed: false,
        text: `# A spec it links to: ${path}\n\n${text.trim()}\n`,
      })),
      ...guides.map(([path, text]) => ({
        id: `guide/${path}#text`,
        isFixed: false,
        text: `# A guide of the project: ${path}\n\n${fenced(text.trim())}\n`,
      })),
      { id: 'code#outline', isFixed: false, text: outline === '' ? '' : `# The code\n\n${outline}\n` },
    ],
    promptBytes,
  );
}

function repair(problems: readonly string[]): string {
  return [
    '# Your last answer cannot be used',
    '',
    'Correct exactly these points and give the whole answer again:',
    '',
    ...problems.map((problem) => `- ${problem}`),
    '',
  ].join('\n');
}

const example = {
  approach: { mode: 'parallel', reason: 'The two parts meet only in the contract.' },
  tasks: [
    {
      id: 'user',
      title: 'Add the display name',
      description: 'What to do, with the names and numbers of the spec.',
      dependsOn: [],
      files: ['src/user.ts', 'src/user.test.ts'],
      changes: ['src/user.ts#User'],
      tier: 'standard',
      acceptance: [
        { text: 'A user has a display name', verifyBy: 'test', arg: 'src/user.test.ts' },
        { text: 'The change is described', verifyBy: 'file_exists', arg: 'docs/user.md' },
      ],
      specRefs: [{ spec: 'specs/user.md', section: 'Requirements', requirement: 'quoted from the spec' }],
      rationale: 'Why this is one task.',
      assumptions: [],
    },
  ],
  contract: exampleContract,
  concerns: ['What every task must consider.'],
  validation: [
    {
      severity: 'minor',
      issue: 'What is unclear in the spec.',
      requirement: 'Quoted.',
      recommendation: 'What to write instead.',
    },
  ],
};

const answerFormat = [
  '# Your answer',
  '',
  'Answer with one JSON object and nothing else, in this form:',
  '',
  '```json',
  JSON.stringify(example, null, 1),
  '```',
  '',
  '- `id`: letters, digits, `.`, `_`, `-`. `dependsOn`: ids of other tasks, without a circle.',
  '- `files`: paths from the top of the repository; a folder ends with `/`.',
  '- `changes` (optional): the symbols of existing files that change, `path#Name`. Without it every symbol the files offer',
  '  counts as changed, and tasks that use one of them wait.',
  '- `tier`: `fast`, `standard` or `strong`. `verifyBy`: `test`, `schema_check`, `file_exists`, `lint` or `manual`.',
  '- `specRefs.section`: the title of a section of the spec.',
  '- `approach.mode`: `parallel`, or `serial` when the tasks should be done one after the other.',
  '- `validation.severity`: `blocking`, `important`, `minor` or `info`. Leave the list empty when the spec is clear.',
  '',
].join('\n');
