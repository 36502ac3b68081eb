import { closeSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { AgentDoors, AgentEnd, AgentEvent, AgentRequest } from '#agents/driver.ts';
import { readFoundFile } from '#lib/read-found-file.ts';
import type { Box } from '#process/box.ts';
import { Lines } from '#process/lines.ts';
import { type GuardedEnd, startGuarded } from '#process/start-guarded.ts';
import { addUsage, type Usage } from '#schema/run.ts';
import { askAgain, readHandoffBlock } from './handoff-block.ts';
import { machineFault } from './machine-fault.ts';

const pollMs = 250;
const keptErrors = 20_000;
/** After its last message, a program has this long to exit before it is ended. */
const farewellMs = 15_000;
/** No agent's event is longer than this; the rest of such a line is dropped. */
const longestLine = 64 * 1024 * 1024;

/** Parses the output of one process of an agent. Pure except for `poll`; ignores unknown lines. */
export interface StreamReader {
  read(line: string): AgentEvent[];
  /** Whether a line only shows that the agent is alive: there are too many of them to keep. */
  isChatter?(line: string): boolean;
  /** Events from other sources than the output. */
  poll?(): AgentEvent[];
  /** Charges for what began and never ended; called once, after the last line. */
  rest?(): AgentEvent[];
  /** The agent's id of the conversation, once it is known. */
  readonly session: string | null;
  readonly lastText: string;
  /** How it ended according to its own output; null if it did not say. */
  readonly end: AgentEnd | null;
}

/** What a driver knows about its program. */
export interface CommandLine {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly box: Box | null;
  readonly reader: StreamReader;
  /** What `spentSoFar` needs in addition to the output. */
  readonly note: object;
}

export type OpenCommandLine = (session: string | null) => CommandLine;

/** Runs a program that prints JSON lines and submits its handoff, asking once more if the handoff is refused. */
export async function playCommandLine(
  open: OpenCommandLine,
  request: AgentRequest,
  doors: AgentDoors,
): Promise<AgentEnd> {
  let prompt = request.prompt;
  let session = request.resume?.session ?? null;
  let work: AgentEnd | null = null;
  for (let turn = 1; ; turn++) {
    // Every time: the agent may have deleted it.
    mkdirSync(request.scratch, { recursive: true });
    const line = open(session);
    const end = await runOnce(line, prompt, turn, request, doors);
    if (end.outcome === 'cancelled') return end;
    // The work is already done: a handoff that cannot be repaired does not undo it.
    if (end.outcome !== 'ok') return work ?? end;
    work = end;
    session = line.reader.session;
    const answer = doors.submit(readHandoffBlock(line.reader.lastText) ?? undefined);
    if (answer.accepted || answer.isFinal || session === null) return end;
    prompt = askAgain(answer);
  }
}

async function runOnce(
  line: CommandLine,
  prompt: string,
  turn: number,
  request: AgentRequest,
  doors: AgentDoors,
): Promise<AgentEnd> {
  if (request.signal.aborted) return { outcome: 'cancelled', reason: '' };
  const trace = new Trace(join(request.scratch, `turn-${turn}.jsonl`));
  try {
    trace.add(JSON.stringify(line.note));
    return await converse(line, prompt, trace, request, doors);
  } finally {
    trace.close();
  }
}

/** Resolves when the program has exited and all its output was read, also if a reader fails. */
async function converse(
  { argv, env, box, reader }: CommandLine,
  prompt: string,
  trace: Trace,
  request: AgentRequest,
  doors: AgentDoors,
): Promise<AgentEnd> {
  const guarded = startGuarded({
    ...{ argv, cwd: request.cwd, env, box, mark: request.mark, hasInput: true },
    memoryBytes: request.config.memoryBytes,
  });
  const stop = () => guarded.kill();
  request.signal.addEventListener('abort', stop, { once: true });
  guarded.stdin?.end(prompt);
  let errors = '';
  guarded.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-keptErrors);
  });
  const tell = (events: readonly AgentEvent[]) => {
    for (const event of events) doors.report(event);
  };
  const timer = setInterval(() => tell(reader.poll?.() ?? []), pollMs);
  const farewell = Math.min(farewellMs, request.limits.inactivityMs / 2);
  let lingering: NodeJS.Timeout | undefined;
  let isShownOut = false;
  let heardAt = 0;
  const take = (line: string) => {
    if (reader.isChatter?.(line)) {
      if (performance.now() - heardAt > pollMs) tell([{ type: 'alive' }]);
      heardAt = performance.now();
      return;
    }
    // Before parsing: if we are killed now, the spending can still be counted.
    trace.add(line);
    tell(reader.read(line));
    clearTimeout(lingering);
    if (reader.end === null) return;
    lingering = setTimeout(() => {
      isShownOut = true;
      guarded.kill();
    }, farewell);
  };
  const read = readLines(guarded.stdout, take, () => guarded.kill());
  const [end, failure] = await Promise.all([guarded.ended, read]);
  clearInterval(timer);
  clearTimeout(lingering);
  request.signal.removeEventListener('abort', stop);
  if (failure) throw failure.reason;
  tell([...lastEvents(reader), ...incidentsOf(end, isShownOut)]);
  if (isShownOut && reader.end && !request.signal.aborted) return reader.end;
  const fault = request.signal.aborted ? null : machineFault(basename(argv[0]), end);
  if (fault) throw fault;
  return outcomeOf(end, reader, errors, request.signal.aborted);
}

/** Stores the output of a program, so that its spending can be computed later. */
class Trace {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600);
  }

  add(line: string): void {
    try {
      writeSync(this.#file, `${line}\n`);
    } catch {
      // The disk is full: the log of the run will report it, and the agent is not to blame.
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Returns why reading stopped at a line; null if all lines were read. */
async function readLines(
  stream: Readable,
  take: (line: string) => void,
  giveUp: () => void,
): Promise<{ readonly reason: unknown } | null> {
  let failure: { readonly reason: unknown } | null = null;
  const lines = new Lines(
    (line) => {
      try {
        take(line);
      } catch (reason) {
        failure = { reason };
        lines.stop();
        giveUp();
      }
    },
    longestLine,
    giveUp,
  );
  stream.on('data', (chunk: Buffer) => lines.add(chunk));
  // A stream that was destroyed, because an escaped process holds it open, never emits `end`.
  await new Promise<void>((resolve) => stream.once('close', resolve));
  lines.end();
  return failure;
}

/** Never the exit code alone: it is 0 after SIGINT, after a denied write and after a failed command. */
function outcomeOf(exit: GuardedEnd, reader: StreamReader, errors: string, isStopped: boolean): AgentEnd {
  if (isStopped) return { outcome: 'cancelled', reason: '' };
  if (exit.how === 'not-started') return { outcome: 'crashed', reason: exit.reason };
  const how = exit.signal ? `was ended by ${exit.signal}` : `ended with exit code ${exit.code}`;
  if (reader.end === null) {
    const said = errors.trim().split('\n').at(-1) ?? '';
    return { outcome: 'crashed', reason: `it ${how} without a result${said === '' ? '' : `: ${said}`}` };
  }
  if (reader.end.outcome === 'ok' && exit.code !== 0)
    return { outcome: 'crashed', reason: `it ${how} although it reported success` };
  return reader.end;
}

/** Misbehaviour of a program: what it left running, or that it attacked its guard. */
export function incidentsOf(exit: GuardedEnd, isShownOut = false): AgentEvent[] {
  if (exit.how === 'not-started') return [];
  const left = [
    ...(isShownOut
      ? ['it did not leave after its last word, as if it waited for something, and was ended']
      : []),
    ...exit.leftovers.map(({ pid, name }) => `process ${pid} (${name}) was left running and was ended`),
    ...exit.survivors.map(({ pid, name }) => `process ${pid} (${name}) was left running and cannot be ended`),
  ];
  return [
    ...left.map((detail) => ({ type: 'incident', kind: 'left-processes', detail }) as const),
    ...exit.incidents.map((detail) => ({ type: 'incident', kind: 'attacked-guard', detail }) as const),
  ];
}

/** The spending of an interrupted attempt: its output read again by a new reader. */
export function spentInTraces(
  scratch: string,
  readerFor: (note: Readonly<Record<string, unknown>>, isLast: boolean) => StreamReader,
): Usage | null {
  const traces = readTraces(scratch);
  if (traces.length === 0) return null;
  const total: Usage = { in: 0, out: 0, usd: 0 };
  for (const [index, [note = '{}', ...lines]] of traces.entries()) {
    const reader = readerFor(JSON.parse(note) as Record<string, unknown>, index === traces.length - 1);
    const events = [...lines.flatMap((line) => reader.read(line)), ...lastEvents(reader)];
    for (const event of events) {
      if (event.type === 'usage') addUsage(total, event.usage);
      if (event.type === 'turn') addUsage(total, { in: 0, out: 0, usd: 0, turns: 1 });
    }
  }
  return total;
}

function lastEvents(reader: StreamReader): AgentEvent[] {
  return [...(reader.poll?.() ?? []), ...(reader.rest?.() ?? [])];
}

/** A trace contains little more than what is recorded of the output. */
const mostTraceBytes = 256 * 1024 ** 2;

/** The agent can write there too. */
function readTraces(scratch: string): string[][] {
  try {
    return (
      readdirSync(scratch)
        .filter((name) => /^turn-\d+\.jsonl$/.test(name))
        .sort()
        .map((name) => (readFoundFile(join(scratch, name), mostTraceBytes) ?? '').split('\n').slice(0, -1))
        // We were killed between opening it and the first line: nothing was started.
        .filter((lines) => lines.length > 0)
    );
  } catch {
    return [];
  }
}
