import { dirname } from 'node:path/posix';
import { shellWord } from '#lib/shell-word.ts';

/** A test runner: how it is called, which files it reads, and how to run only some of them. */
interface Runner {
  readonly called: RegExp;
  readonly reads: RegExp;
  /** Null: it cannot run single files. */
  focus(command: string, files: readonly string[]): string | null;
}

const script = /\.([cm]?[jt]sx?|vue|svelte)$/;
const asLastWords = (command: string, files: readonly string[]) =>
  `${command} ${files.map(shellWord).join(' ')}`;

const runners: readonly Runner[] = [
  {
    called: /^\s*(npm|pnpm|yarn)\s+(run\s+\S+|test|t)(\s+(--silent|-s))?\s*$/,
    reads: script,
    // npm passes on what follows `--`.
    focus: (command, files) => asLastWords(`${command.trimEnd()} --`, files),
  },
  { called: /\b(pytest|py\.test)\b|-m\s+unittest\b/, reads: /\.py$/, focus: asLastWords },
  {
    called: /^\s*go\s+test\b/,
    reads: /\.go$/,
    // Tests of one package are compiled together.
    focus: (command, files) => {
      const packages = [...new Set(files.map((file) => `./${dirname(file)}`))];
      return asLastWords(command.replace(/(?<!\s)\s+\.\/\S*/g, ''), packages);
    },
  },
  { called: /\bcargo\s+(test|nextest)\b/, reads: /\.rs$/, focus: () => null },
  {
    called: /\b(vitest|jest|mocha|ava|tap|bun\s+test|deno\s+test|node\b.{0,300}--test)\b/,
    reads: script,
    focus: asLastWords,
  },
];

/** In a compound line, a second command would get the files as well, or instead. */
const isCompound = /[;|]|&&?\s*$/;

export interface TestCommand {
  readonly line: string;
  /** Only the named files run; otherwise the whole suite. */
  readonly isFocused: boolean;
}

/** The command line that runs these files with the project's test command; null if that reads other languages. */
export function testCommand(command: string, files: readonly string[]): TestCommand | null {
  const runner = runners.find(({ called }) => called.test(command));
  if (!runner) return { line: command, isFocused: false };
  if (!files.every((file) => runner.reads.test(file))) return null;
  const focused = isCompound.test(command) ? null : runner.focus(command, files);
  return focused === null ? { line: command, isFocused: false } : { line: focused, isFocused: true };
}
