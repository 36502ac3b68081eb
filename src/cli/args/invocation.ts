import type { Decision } from '#app/workplace/decision.ts';
import type { OnInterrupt } from '#cli/terminal/interrupt.ts';
import type { Terminal } from '#cli/terminal/terminal.ts';
import type { ExitCode } from '#schema/exit-codes.ts';
import type { Globals } from './globals.ts';
import type { CommandTable, OptionValues } from './table.ts';

/** Everything a command receives: what was typed, where it works, and where it prints. */
export interface Invocation<Table extends CommandTable = CommandTable> {
  readonly options: OptionValues<Table['options']>;
  readonly globals: Globals;
  readonly positionals: readonly string[];
  /** The folder from `-C`, else the current one. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
  readonly onInterrupt: OnInterrupt;
  /** Set for what `decides.ts` lists; null otherwise. */
  readonly decision: Decision | null;
}

/** The decision of a command that is listed as deciding. */
export function decisionOf({ decision }: Pick<Invocation, 'decision'>): Decision {
  if (decision === null) throw new Error('a command decides and is not listed in decides.ts');
  return decision;
}

export type Run<Table extends CommandTable> = (invocation: Invocation<Table>) => Promise<ExitCode>;
