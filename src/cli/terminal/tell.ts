import type { Invocation } from '#cli/args/invocation.ts';

/** Prints what an agent does: with --verbose, and not when a program reads the output. */
export function tellerOf({
  globals,
  terminal,
}: Pick<Invocation, 'globals' | 'terminal'>): (line: string) => void {
  return (line) => {
    if (!globals.verbose || globals.quiet || globals.json) return;
    terminal.settle();
    process.stderr.write(`${line}\n`);
  };
}
