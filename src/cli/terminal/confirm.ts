import { createInterface } from 'node:readline/promises';
import { JoineryError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';

/** Asks on a terminal. Without one there is nobody to ask: then only `--yes` goes on. */
export async function confirm(
  question: string,
  { isSure, command }: { isSure: boolean; command: string },
): Promise<void> {
  if (isSure) return;
  if (process.stdin.isTTY && process.stderr.isTTY) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await terminal.question(`${question} [y/N] `);
    terminal.close();
    if (/^y(es)?$/i.test(answer.trim())) return;
  }
  throw new JoineryError({
    code: 'not-confirmed',
    message: 'nothing was done: this needs a yes',
    hint: `${command} --yes`,
    exitCode: exitCodes.needsPerson,
  });
}
