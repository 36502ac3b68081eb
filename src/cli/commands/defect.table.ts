import type { CommandTable } from '#cli/args/table.ts';
import { scriptedWork } from './shared-options.ts';

export const defectTable = {
  name: 'defect',
  summary: 'triage a defect, reproduce it with a failing test, and fix it',
  description:
    "Reads a defect report, a Markdown file. A triager classifies the defect from the code. A reproducer writes a test, which counts only if Joinery's own run of the test gate shows that it fails. A repairer changes the files named by the triage; its other changes are dropped. The fix counts when that test and all gates pass. All work happens in separate worktrees; the result is the branch joinery/defect-<name>/fix. A defect in one file that no other code depends on is fixed at once; a larger one needs your confirmation; a very large one becomes a draft product spec. Run the command again to continue.",
  positionals: [{ name: 'report', description: 'The report: specs/defects/<name>.md.' }],
  options: [
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description: 'The agent to use. Default: the only one installed.',
    },
    scriptedWork,
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      description: 'Commit that has the defect. Default: the checked-out one.',
    },
    { name: 'yes', short: 'y', type: 'boolean', description: 'Continue even if the defect is not trivial.' },
    { name: 'again', type: 'boolean', description: 'Start over and ignore earlier results.' },
  ],
  examples: [
    { command: 'joinery spec new defect login-loops', meaning: 'Write the report.' },
    { command: 'joinery defect specs/defects/login-loops.md --agent claude', meaning: 'Get it fixed.' },
  ],
  exitCodes: {
    ok: 'Fixed: the test failed before and passes now.',
    needsPerson:
      'It is not a defect, it is too large, it needs your confirmation, or an agent could not fix it.',
    usage: 'The report cannot be read, or no agent was named.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
