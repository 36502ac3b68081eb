import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileForShortRuns, compileNoMore } from '#lib/compiler.ts';
import { UsageError } from '#schema/errors.ts';
import { splitCommand, unknownCommand, wantsJson } from './args/parse.ts';
import { commands } from './commands.ts';
import { explainFailure } from './terminal/failure.ts';
import { listenForInterrupt } from './terminal/interrupt.ts';
import { openTerminal, tolerateClosedPipes } from './terminal/terminal.ts';
import { hideKnownWarnings } from './terminal/warnings.ts';

/** Called by `bin/joinery.js`, which has answered `--help` and `--version` already. */
export async function main(argv: readonly string[]): Promise<void> {
  compileForShortRuns();
  tolerateClosedPipes();
  hideKnownWarnings();
  process.on('uncaughtException', (error) => {
    fail(error, argv);
    compileNoMore();
    process.exit();
  });
  try {
    await runCommand(argv);
  } catch (error) {
    fail(error, argv);
  }
  // The process ends when nothing is left to do. process.exit() would be some milliseconds faster, but it waits for V8's
  // threads without serving them: one that compiles and needs a collection first waits for us for ever.
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
  const { globals, run } = command.parse(rest);
  const terminal = openTerminal(globals);
  const onInterrupt = listenForInterrupt(terminal.settle);
  try {
    const cwd = resolveDirectory(globals.directory);
    process.exitCode = await run({ cwd, env: process.env, terminal, onInterrupt });
  } finally {
    terminal.settle();
  }
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
  process.stderr.write(`${text}\n`);
  if (wantsJson(argv)) process.stdout.write(`${JSON.stringify(envelope, null, 2)}\n`);
  process.exitCode = exitCode;
}
