import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileForShortRuns } from '#lib/compiler.ts';
import { endProcess, outputWritten } from '#lib/end-process.ts';
import { visibleLines } from '#lib/visible.ts';
import { sandboxVariable } from '#schema/containment.ts';
import { UsageError } from '#schema/errors.ts';
import { splitCommand, unknownCommand, wantsJson } from './args/parse.ts';
import { commands } from './commands.ts';
import { explainFailure } from './terminal/failure.ts';
import { isInterrupted, listenForInterrupt } from './terminal/interrupt.ts';
import { openTerminal, tolerateClosedPipes } from './terminal/terminal.ts';
import { hideKnownWarnings } from './terminal/warnings.ts';

/** How long a reader that stopped reading can delay the exit of a failed command. */
const outputLimitMs = 2000;

/** Called by `bin/joinery.js`, which has already answered `--help` and `--version`. */
export async function main(argv: readonly string[]): Promise<void> {
  compileForShortRuns();
  tolerateClosedPipes();
  hideKnownWarnings();
  let isFailing = false;
  process.on('uncaughtException', async (error) => {
    if (isFailing || isInterrupted()) return;
    isFailing = true;
    fail(error, argv);
    const code = Number(process.exitCode);
    await outputWritten(outputLimitMs);
    endProcess(code);
  });
  try {
    await runCommand(argv);
  } catch (error) {
    if (!isInterrupted()) fail(error, argv);
  }
  // No process.exit: a natural exit writes V8's compile cache for the next command.
}

async function runCommand(argv: readonly string[]): Promise<void> {
  const { name, rest } = splitCommand(argv);
  const command = commands.find(({ table }) => table.name === name);
  if (!command) {
    throw unknownCommand(
      name,
      rest,
      commands.map(({ table }) => table.name),
    );
  }
  const { globals, decides, run } = command.parse(rest);
  // One variable decides for this process and for its threads.
  if (globals['no-sandbox']) process.env[sandboxVariable] = 'off';
  const terminal = openTerminal(globals);
  const { whenInterrupted } = command.table;
  const onInterrupt = listenForInterrupt(terminal.settle, () => {
    if (whenInterrupted !== undefined) terminal.note(`interrupted: ${whenInterrupted}`);
  });
  try {
    // Before anything is opened, and loaded only then: a check starts without the store of runs.
    const decision = decides === null ? null : await decideOn(decides, globals.directory);
    const cwd = resolveDirectory(globals.directory);
    process.exitCode = await run({ cwd, env: process.env, terminal, onInterrupt, decision });
  } finally {
    terminal.settle();
  }
}

async function decideOn(what: string, directory: string | undefined) {
  const { decideHere } = await import('#app/workplace/decision.ts');
  return decideHere({ cwd: resolve(directory ?? '.'), env: process.env }, what);
}

function resolveDirectory(directory: string | undefined): string {
  const cwd = resolve(directory ?? '.');
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return cwd;
  throw new UsageError({
    code: 'no-such-directory',
    message: `-C: there is no folder ${cwd}`,
    hint: 'name an existing folder',
  });
}

function fail(error: unknown, argv: readonly string[]): void {
  const isVerbose = argv.includes('--verbose') || argv.includes('-v');
  const { exitCode, text, envelope } = explainFailure(error, isVerbose);
  // A message may quote text from a repository.
  process.stderr.write(`${visibleLines(text)}\n`);
  if (wantsJson(argv)) process.stdout.write(`${JSON.stringify(envelope, null, 2)}\n`);
  process.exitCode = exitCode;
}
