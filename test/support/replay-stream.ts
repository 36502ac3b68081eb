import { readFileSync } from 'node:fs';
import type { AgentEnd, AgentEvent } from '#agents/driver.ts';
import type { StreamReader } from '#agents/stream/command-line.ts';
import { addUsage, type Usage } from '#schema/run.ts';

/** A reader's result for the output of a real program. */
export interface Replay {
  readonly events: readonly AgentEvent[];
  readonly end: AgentEnd | null;
  readonly usage: Usage;
  readonly counts: Readonly<Record<string, number>>;
}

export function replayStream(file: URL, reader: StreamReader): Replay {
  const events = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => reader.read(line));
  const usage: Usage = { in: 0, out: 0, usd: 0 };
  const counts: Record<string, number> = {};
  for (const event of events) {
    counts[event.type] = (counts[event.type] ?? 0) + 1;
    if (event.type === 'usage') addUsage(usage, event.usage);
  }
  return { events, end: reader.end, usage, counts };
}
