import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limited, mostMemory } from '#process/limits.ts';
import { useOf } from '#process/process-use.ts';
import { EnvironmentError } from '#schema/errors.ts';
import { type Bounds, boundsOf } from './bounds.ts';
import {
  type ParseAnswer,
  type ParseOrder,
  type ParseRequest,
  type Reading,
  sizeOf,
} from './parser-messages.ts';

/** The program is beside this file, both in `src` and in `dist`. */
const program = fileURLToPath(new URL(`./parser-program${extname(import.meta.url)}`, import.meta.url));

/** How often the cost of a reading is looked at. A hostile text needs about a second for a gigabyte. */
const glanceMs = process.platform === 'linux' ? 50 : 500;
/** Elapsed time counts only for a process that gets hardly any CPU, or is stopped. */
const patience = 10;
/** A server that reads nothing for a while needs no parser. */
const idleMs = 30_000;
/** If Joinery is killed it cannot end its parser: the kernel does so when it has used this much. */
const longestLifeSeconds = 3600;
/** Parsers reserve many more addresses than they use, so what they use is looked at instead. */
const addresses = 2 ** 46;

/** Why a text got no reading. */
export interface Died {
  readonly died: string;
  /** It exceeded its bounds. Otherwise something else may have ended the process. */
  readonly isExcess: boolean;
}

interface Pending {
  readonly order: ParseOrder;
  readonly bounds: Bounds;
  settle(answer: readonly Reading[] | Died): void;
  /** Nothing can be read here. */
  fail(error: unknown): void;
}

/** Client of `parser-program.ts`: starts it when something is asked, and again after it has died. */
export class ParserProcess {
  #child: ChildProcess | null = null;
  #watch: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #next = 0;
  /** In the order in which they were sent; the first one is being read. */
  #pending: Pending[] = [];

  /** The readings of all texts, or why the process died while it read them. */
  ask(requests: readonly ParseRequest[]): Promise<readonly Reading[] | Died> {
    const bytes = requests.reduce((sum, request) => sum + sizeOf(request), 0);
    const order = { id: this.#next++, requests };
    return new Promise((settle, fail) => {
      const pending = { order, bounds: boundsOf(bytes), settle, fail };
      this.#pending.push(pending);
      this.#send([pending]);
    });
  }

  #send(orders: readonly Pending[]): void {
    try {
      const child = this.#open();
      if (this.#pending.length === orders.length) this.#begin(child);
      for (const { order } of orders)
        child.send(order, (error) => error && this.#die(child, `it took no text: ${error.message}`));
    } catch (error) {
      for (const { fail } of this.#pending.splice(0)) fail(error);
    }
  }

  /** Ends it; the next question starts another one. */
  close(): void {
    if (this.#child) this.#die(this.#child, 'it was closed');
  }

  #open(): ChildProcess {
    clearTimeout(this.#idle);
    if (this.#child) return this.#child;
    const node = limited(
      process.execPath,
      ['--max-old-space-size=4096', '--disable-warning=ExperimentalWarning'],
      {
        memoryBytes: addresses,
        cpuSeconds: longestLifeSeconds,
      },
    );
    const child = fork(program, [], {
      cwd: '/',
      env: environment(),
      execPath: node.command,
      execArgv: node.args,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    if (child.pid === undefined)
      throw new EnvironmentError({
        code: 'parser-not-started',
        message: 'the process that reads source files could not be started',
        hint: 'end other programs, or raise the limits of this user (ulimit -u, ulimit -n)',
        retry: true,
      });
    child.on('message', (answer: ParseAnswer) => this.#hear(child, answer));
    child.on('error', (error) => this.#die(child, error.message));
    child.on('exit', (code, signal) =>
      this.#die(
        child,
        signal ? `its parser was ended by ${signal}` : `its parser ended with exit code ${code}`,
      ),
    );
    this.#child = child;
    return child;
  }

  #hear(child: ChildProcess, { id, readings }: ParseAnswer): void {
    const [first] = this.#pending;
    if (child !== this.#child || first?.order.id !== id) return;
    this.#pending.shift();
    first.settle(readings);
    this.#begin(child);
  }

  /** Watches the first order; a process without orders keeps nobody waiting. */
  #begin(child: ChildProcess): void {
    clearInterval(this.#watch);
    const [first] = this.#pending;
    if (!first) {
      child.unref();
      child.channel?.unref();
      this.#idle = setTimeout(() => this.close(), idleMs).unref();
      return;
    }
    child.ref();
    child.channel?.ref();
    const began = performance.now();
    const before = useOf(child.pid as number);
    let excess: string | null = null;
    this.#watch = setInterval(() => {
      // Twice in a row: an answer may wait here while this thread is busy.
      const seen = excess;
      excess = excessOf(first.bounds, began, before, useOf(child.pid as number));
      if (seen !== null && excess !== null) this.#die(child, excess, true);
    }, glanceMs);
  }

  #die(child: ChildProcess, died: string, isExcess = false): void {
    if (child !== this.#child) return;
    this.#child = null;
    clearInterval(this.#watch);
    clearTimeout(this.#idle);
    child.kill('SIGKILL');
    if (child.connected) child.disconnect();
    child.unref();
    // The others were only waiting for the first one.
    this.#pending.shift()?.settle({ died, isExcess });
    if (this.#pending.length > 0) this.#send([...this.#pending]);
  }
}

type Use = ReturnType<typeof useOf>;

/** What a reading has used too much of; null as long as it stays within its bounds. */
function excessOf({ cpuMs, memoryBytes }: Bounds, began: number, before: Use, now: Use): string | null {
  const elapsed = performance.now() - began;
  const cpu = before && now ? now.cpuMs - before.cpuMs : elapsed;
  const memory = before && now ? now.residentBytes - before.residentBytes : 0;
  if (cpu > cpuMs || elapsed > cpuMs * patience)
    return `its parser took more than ${Math.ceil(cpuMs / 1000)} s, the most for a text of this size`;
  if (memory > Math.min(memoryBytes, mostMemory))
    return `its parser took more than ${Math.ceil(memoryBytes / 2 ** 20)} MB, the most for a text of this size`;
  return null;
}

/** Nothing of the caller's environment but what Node needs. */
function environment(): Record<string, string> {
  const compiled = getCompileCacheDir();
  const { SYSTEMROOT } = process.env;
  return {
    ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }),
    ...(SYSTEMROOT === undefined ? {} : { SYSTEMROOT }),
  };
}
