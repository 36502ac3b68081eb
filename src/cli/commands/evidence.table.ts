import type { CommandTable } from '#cli/args/table.ts';

export const evidenceTable = {
  name: 'evidence',
  summary: 'record and check what proves a claim',
  description:
    'run executes a command and records its exit code, log, test counts and the exact files it ran on. check looks whether claims stand: with evidence for these very files, finished, without a sign of failure, and for tests with a count. Claims are named with --claim or found in a text on stdin or in --notes; "all tests pass" without a number is none. Where the base commit defines gates of a kind, only these prove it.',
  positionals: [
    { name: 'action', values: ['run', 'check'], description: 'What to do.' },
    {
      name: 'command',
      optional: true,
      variadic: true,
      description: 'For run, behind --: program and arguments.',
    },
  ],
  options: [
    {
      name: 'claim',
      type: 'string',
      placeholder: 'kind',
      values: ['build', 'test', 'lint', 'typecheck'],
      description: 'What the command shows, or what is to be checked.',
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
      description: 'Commit the gates are read from. Default: where the work began.',
    },
    { name: 'timeout', type: 'string', placeholder: 'seconds', description: 'Time limit of the command.' },
  ],
  examples: [
    { command: 'joinery evidence run --claim test -- npm test', meaning: 'Record a test run.' },
    {
      command: 'joinery evidence check --claim test',
      meaning: 'Is it proven for the files as they are now?',
    },
    { command: 'joinery evidence check --notes handoff.md', meaning: 'Does every claim in this text stand?' },
  ],
  exitCodes: {
    ok: 'Proven.',
    findings: 'Not proven.',
    usage: 'Nothing to run, no claim to check.',
    environment: 'git is missing, or the worktree cannot be read.',
  },
} as const satisfies CommandTable;
