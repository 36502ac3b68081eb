/** What every command reports to the shell. No command uses a code of its own. */
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

/** In the words of the help and the docs. */
export const exitMeanings: Readonly<Record<ExitName, string>> = {
  ok: 'Success.',
  findings: 'Findings that fail the check, or failed work.',
  needsPerson: 'A person is needed, or the verdict is inconclusive.',
  usage: 'Bad usage, config or unreadable input.',
  mergeConflict: 'Merge conflict, from commands that merge.',
  environment: 'Something is missing or broken on this machine.',
  interrupted: 'Interrupted.',
};
