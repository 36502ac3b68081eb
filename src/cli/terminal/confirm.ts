import { createInterface } from 'node:readline';
import { JoineryError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** A progress line would overwrite the question: it ends first. */
type Asking = Pick<Terminal, 'settle'>;

/** Asks the person at the terminal yes or no; null without a terminal. */
export function askerOf(asking: Asking): ((question: string) => Promise<boolean>) | null {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  return async (question) => /^y(es)?$/i.test((await askLine(`${question} [y/N] `, asking)).trim());
}

/** One typed line; empty if the person ends the input (Ctrl-D). */
function askLine(prompt: string, { settle }: Asking): Promise<string> {
  settle();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    let isInterrupted = false;
    // While a line is read, Ctrl-C is only a key. It must interrupt as it does everywhere else, not count as an answer.
    terminal.once('SIGINT', () => {
      isInterrupted = true;
      terminal.close();
      process.kill(process.pid, 'SIGINT');
    });
    terminal.once('close', () => {
      if (!isInterrupted) resolve('');
    });
    terminal.question(prompt, (answer) => {
      resolve(answer);
      terminal.close();
    });
  });
}

/** Asks on a terminal. Without one, only `--yes` continues. */
export async function confirm(
  question: string,
  { isSure, command, terminal }: { isSure: boolean; command: string; terminal: Asking },
): Promise<void> {
  if (isSure) return;
  if (await askerOf(terminal)?.(question)) return;
  throw new JoineryError({
    code: 'not-confirmed',
    message: 'nothing was done: this needs a yes',
    hint: `${command} --yes`,
    exitCode: exitCodes.needsPerson,
  });
}

/** Lets the person at the terminal choose; null without a terminal. */
export function chooserOf(
  asking: Asking,
): ((question: string, names: readonly string[]) => Promise<string | null>) | null {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  return async (question, names) => {
    const answer = (await askLine(`${question} (${names.join(', ')}) `, asking)).trim();
    return names.includes(answer) ? answer : null;
  };
}
