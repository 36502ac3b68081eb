import { fitSections, type Prompt } from '#agents/prompt/fit-sections.ts';

const promptBytes = 200_000;

interface ConflictTexts {
  readonly paths: readonly string[];
  /** Git's messages about the conflicts. */
  readonly messages: readonly string[];
  /** What each side did to each file. */
  readonly diffs: readonly { readonly path: string; readonly side: string; readonly diff: string }[];
}

const place = [
  '# Where you work',
  '',
  'The current folder holds the merged files, with conflict markers. Change files in it and nowhere else. Run no git.',
  'Leave no process running.',
  '',
].join('\n');

/** Diffs that do not fit are left out as a whole: the agent has the files. */
export function integratorPrompt(
  role: string,
  branch: string,
  { paths, messages, diffs }: ConflictTexts,
): Prompt {
  const lines = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n');
  return fitSections(
    [
      { id: 'joinery#role', isFixed: true, text: role },
      { id: 'joinery#place', isFixed: true, text: place },
      {
        id: 'joinery#files',
        isFixed: true,
        text: `# Files to resolve, of branch ${branch}\n\n${lines(paths)}\n`,
      },
      { id: 'git#messages', isFixed: true, text: `# What git says\n\n${lines(messages)}\n` },
      ...diffs.map(({ path, side, diff }) => ({
        id: `${side}/${path}#diff`,
        isFixed: false,
        text: `# ${path}: ${side}\n\n\`\`\`diff\n${diff.trimEnd()}\n\`\`\`\n`,
      })),
    ],
    promptBytes,
  );
}
