/** The exit codes of all commands. No command uses another code. */
export const exitCodes = {
  ok: 0,
  findings: 1,
  needsPerson: 2,
  usage: 3,
  mergeConflict: 4,
  environment: 5,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[ExitName];

/** The wording in help and docs. */
export const exitMeanings: Readonly<Record<ExitName, string>> = {
  ok: 'Success.',
  findings: 'Findings that fail the check, or failed work.',
  needsPerson: 'A person is needed, or the verdict is inconclusive.',
  usage: 'Bad usage, config or unreadable input.',
  mergeConflict: 'Merge conflict, from commands that merge.',
  environment: 'Something is missing or broken on this machine.',
  interrupted: 'Interrupted.',
};
