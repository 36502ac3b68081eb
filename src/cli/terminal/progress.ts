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
  const started = now();
  if (!screen.isTTY) return plainProgress(screen, started, now);
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isVisible = false;
  const erase = () => {
    if (isVisible) screen.write(eraseLine);
    isVisible = false;
  };
  return {
    report(text) {
      const time = now();
      if (time - started < patienceMs || time - drawnAt < redrawMs) return;
      const room = (screen.columns ?? 80) - 1;
      screen.write(eraseLine + text.replace(/\s+/g, ' ').slice(0, room));
      drawnAt = time;
      isVisible = true;
    },
    erase,
    end: erase,
  };
}

/** Where stderr is a file or a pipe: whole lines, never erased. By the clock, because one step may take minutes. */
function plainProgress(screen: Screen, started: number, now: () => number): Progress {
  let doing: string | null = null;
  const tell = () => {
    if (doing === null) return;
    screen.write(`joinery: ${doing.replace(/\s+/g, ' ')} (${Math.round((now() - started) / 1000)} s)\n`);
  };
  setInterval(tell, plainEveryMs).unref();
  return {
    report(text) {
      doing = text;
    },
    erase() {},
    end() {
      doing = null;
    },
  };
}
