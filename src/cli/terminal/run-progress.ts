import { eventLine } from '#app/runs/event-line.ts';
import { renderLive } from '#report/run/live.ts';
import type { Paint } from '#report/text/paint.ts';
import type { RunEvent } from '#schema/event.ts';
import type { LiveRun } from '#schema/live-run.ts';

/** Shows a run while it is running. */
export interface RunProgress {
  observe(events: readonly RunEvent[], live: () => LiveRun): void;
  /** Clears the screen for the report. */
  end(): void;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const redrawMs = 200;

export function runProgress(stream: Stream, wishes: { isQuiet: boolean; paint: Paint }): RunProgress {
  if (wishes.isQuiet) return { observe() {}, end() {} };
  return stream.isTTY ? liveProgress(stream, wishes.paint) : plainProgress(stream);
}

/** A block that is redrawn in place, line by line: tmux keeps what is erased from the top of its screen, once for every frame. */
function liveProgress(stream: Stream, paint: Paint): RunProgress {
  let drawn = 0;
  let latest: (() => LiveRun) | null = null;
  const back = () => (drawn > 0 ? `\x1b[${drawn}A\r` : '');
  const erase = () => {
    if (drawn > 0) stream.write(`${back()}${'\x1b[2K\n'.repeat(drawn)}${back()}`);
    drawn = 0;
  };
  const draw = () => {
    if (!latest) return;
    const frame = {
      width: stream.columns || 80,
      height: Math.min(stream.rows || 24, 20),
      now: Date.now(),
      paint,
    };
    const lines = renderLive(latest(), frame);
    const surplus = Math.max(0, drawn - lines.length);
    const rest = surplus > 0 ? `${'\x1b[2K\n'.repeat(surplus)}\x1b[${surplus}A` : '';
    stream.write(`${back()}${lines.map((line) => `${line}\x1b[K\n`).join('')}${rest}`);
    drawn = lines.length;
  };
  const timer = setInterval(draw, redrawMs);
  timer.unref();
  return {
    observe(_events, live) {
      latest = live;
    },
    end() {
      clearInterval(timer);
      erase();
    },
  };
}

function plainProgress(stream: Stream): RunProgress {
  return {
    observe(events) {
      for (const event of events) {
        const line = eventLine(event);
        if (line !== null) stream.write(`${line}\n`);
      }
    },
    end() {},
  };
}
