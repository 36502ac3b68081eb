import type { CommandTable } from '#cli/args/table.ts';

export const evidenceTable = {
  name: 'evidence',
  summary: 'record and check what proves a claim',
  description:
    'run executes a command and records its exit code, log, test counts and the exact files it ran on. check decides whether claims are proven: there must be evidence for exactly these files, from a finished command without a sign of failure, and for tests with a count. Name claims with --claim, or give a text on stdin or in --notes; "all tests pass" without a number is not evidence. Where the base commit defines gates of that kind, only these gates count.',
  positionals: [
    { name: 'action', values: ['run', 'check'], description: 'What to do.' },
    {
      name: 'command',
      optional: true,
      variadic: true,
      description: 'For run, after --: program and arguments.',
    },
  ],
  options: [
    {
      name: 'claim',
      type: 'string',
      placeholder: 'kind',
      values: ['build', 'test', 'lint', 'typecheck'],
      description: 'The claim to record, or to check.',
    },
    {
      name: 'notes',
      type: 'string',
      placeholder: 'file',
      description: 'Text to look for claims in; - is stdin.',
    },
    {
      name: 'worktree',
      type: 'string',
      placeholder: 'path',
      description: 'Folder the claim is about. Default: the current one.',
    },
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      description: 'Commit to read the gates from. Default: where the work began.',
    },
    { name: 'timeout', type: 'string', placeholder: 'seconds', description: 'Time limit of the command.' },
  ],
  examples: [
    { command: 'joinery evidence run --claim test -- npm test', meaning: 'Record a test run.' },
    {
      command: 'joinery evidence check --claim test',
      meaning: 'Is it proven for the files as they are now?',
    },
    { command: 'joinery evidence check --notes handoff.md', meaning: 'Is every claim in this text proven?' },
  ],
  exitCodes: {
    ok: 'Proven.',
    findings: 'Not proven.',
    usage: 'Nothing to run, no claim to check.',
    environment: 'git is missing, or the worktree cannot be read.',
  },
} as const satisfies CommandTable;
