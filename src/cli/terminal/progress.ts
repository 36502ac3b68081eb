/** The part of a stream that a progress line needs. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** One status line for anything that takes longer than a second. */
export interface Progress {
  report(text: string): void;
  /** Erases the line, so that other output can be written. */
  erase(): void;
  /** The same when the work is done: nothing more is said about it. */
  end(): void;
}

const patienceMs = 1000;
const redrawMs = 100;
/** In a log a line now and then shows that the command is alive; fast commands write none. */
const plainEveryMs = 15_000;
const eraseLine = '\r\x1b[2K';

export function createProgress(screen: Screen, isQuiet: boolean, now = () => performance.now()): Progress {
  if (isQuiet) return { report() {}, erase() {}, end() {} };
  return screen.isTTY ? liveProgress(screen, now) : plainProgress(screen, now);
}

/** One line that is redrawn: by a report, and by the clock where one step takes long. */
function liveProgress(screen: Screen, now: () => number): Progress {
  const started = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let doing: string | null = null;
  let shown: string | null = null;
  const draw = () => {
    const time = now();
    if (doing === null || time - started < patienceMs || time - drawnAt < redrawMs) return;
    const room = (screen.columns ?? 80) - 1;
    const seconds = ` (${secondsOf(time - started)})`;
    const line = `${doing.slice(0, Math.max(0, room - seconds.length))}${seconds}`;
    if (line === shown) return;
    screen.write(eraseLine + line.slice(0, room));
    drawnAt = time;
    shown = line;
  };
  const erase = () => {
    if (shown !== null) screen.write(eraseLine);
    shown = null;
  };
  setInterval(draw, redrawMs).unref();
  return {
    report(text) {
      doing = oneLine(text);
      draw();
    },
    erase,
    end() {
      doing = null;
      erase();
    },
  };
}

/** Where stderr is a file or a pipe: whole lines, never erased. By the clock, because one step may take minutes. */
function plainProgress(screen: Screen, now: () => number): Progress {
  const started = now();
  let doing: string | null = null;
  const tell = () => {
    if (doing !== null) screen.write(`joinery: ${doing} (${secondsOf(now() - started)})\n`);
  };
  setInterval(tell, plainEveryMs).unref();
  return {
    report(text) {
      doing = oneLine(text);
    },
    erase() {},
    end() {
      doing = null;
    },
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function secondsOf(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
