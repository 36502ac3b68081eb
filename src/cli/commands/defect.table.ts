import type { CommandTable } from '#cli/args/table.ts';

export const defectTable = {
  name: 'defect',
  summary: 'triage a defect, show it by a red test, fix it and prove it',
  description:
    'Takes the report of a defect, a Markdown file. A triager looks at the code and says what it is. A reproducer writes a test; it counts only if our own run of the test gate shows it fail where the base commit does not. A repairer changes the files that the triage named, everything else it touches is left out. The fix counts when the red test is green and all gates pass. Everything happens in worktrees of ours; the result is a branch, joinery/defect-<name>/fix. A defect in one file that no other code relies on goes through at once; a larger one waits for your yes, a very large one becomes the draft of a product spec. Run it again to go on from what was reached.',
  positionals: [{ name: 'report', description: 'The report: specs/defects/<name>.md.' }],
  options: [
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description: 'Who does the work. Default: the only one that is installed.',
    },
    {
      name: 'scenario',
      type: 'string',
      placeholder: 'file',
      description: 'What the scripted agent does, as JSON.',
    },
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      description: 'Commit that has the defect. Default: the checked-out one.',
    },
    { name: 'yes', short: 'y', type: 'boolean', description: 'Go on though the defect is not trivial.' },
    { name: 'again', type: 'boolean', description: 'Forget what was found out before.' },
  ],
  examples: [
    { command: 'joinery spec new defect login-loops', meaning: 'Write the report.' },
    { command: 'joinery defect specs/defects/login-loops.md --agent claude', meaning: 'Get it fixed.' },
  ],
  exitCodes: {
    ok: 'Fixed, with proof: red before, green after.',
    needsPerson: 'It is no defect, it is too large, it waits for a yes, or an agent could not do it.',
    usage: 'The report cannot be read, or no agent was named.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
