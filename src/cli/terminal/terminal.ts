import { visibleLines } from '#lib/visible.ts';
import { createPaint, type Paint, wantsColour } from './paint.ts';
import { createProgress } from './progress.ts';

const defaultWidth = 80;
const narrowest = 40;

/** Where a command prints: results to stdout, everything else to stderr. */
export interface Terminal {
  readonly paint: Paint;
  /** Columns of stdout; 80 if it is not a terminal. */
  readonly width: number;
  print(text: string): void;
  printJson(document: unknown): void;
  warn(message: string): void;
  /** A line to stderr that is neither a result nor a warning. */
  note(message: string): void;
  progress(text: string): void;
  /** Erases the progress line. */
  settle(): void;
}

interface Wishes {
  readonly quiet?: boolean | undefined;
  readonly 'no-color'?: boolean | undefined;
}

export function openTerminal(wishes: Wishes, env: NodeJS.ProcessEnv = process.env): Terminal {
  const { stdout, stderr } = process;
  const isQuiet = wishes.quiet === true;
  const refused = wishes['no-color'] === true;
  const progress = createProgress(stderr, isQuiet);
  const stderrPaint = createPaint(wantsColour({ env, isTTY: stderr.isTTY, refused }));
  const print = (text: string) => {
    progress.end();
    stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  };
  return {
    paint: createPaint(wantsColour({ env, isTTY: stdout.isTTY, refused })),
    width: readWidth(stdout.columns, env.COLUMNS),
    print,
    printJson: (document) => print(JSON.stringify(document, null, 2)),
    warn(message) {
      if (isQuiet) return;
      progress.erase();
      stderr.write(`${stderrPaint('yellow', 'warning:')} ${visibleLines(message)}\n`);
    },
    note(message) {
      if (isQuiet) return;
      progress.erase();
      stderr.write(`${message}\n`);
    },
    progress: progress.report,
    settle: progress.end,
  };
}

export function readWidth(columns: number | undefined, variable: string | undefined): number {
  const wished = columns || Number(variable) || defaultWidth;
  return Math.max(narrowest, Math.trunc(wished));
}

/** A reader that stops early (`| head`, quitting `less`) is no error: the rest is not written. */
export function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
