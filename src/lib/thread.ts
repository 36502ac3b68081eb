import { parentPort, Worker } from 'node:worker_threads';
import { Semaphore } from './semaphore.ts';

/** Messages to a thread: do some work, clean up, or exit. */
type Asked =
  | { readonly kind: 'work'; readonly input: unknown }
  | { readonly kind: 'stop' }
  | { readonly kind: 'leave' };

/** Messages from a thread: progress, its answer, or why there is none. */
type Said =
  | { readonly kind: 'told'; readonly value: unknown }
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: unknown; readonly facts: Readonly<Record<string, unknown>> }
  | { readonly kind: 'warned'; readonly message: string }
  | { readonly kind: 'stopped' };

/** Work on another thread: this thread still receives signals and can end it, whatever it is doing. */
export interface Thread<Answer> {
  readonly answer: Promise<Answer>;
  /** Lets the thread clean up if it still responds, then ends it. */
  end(): Promise<void>;
}

/** The thread exceeded its time limit. */
export class ThreadTimeout extends Error {}

/** A thread that responds cleans up much faster; one that does not is terminated without cleanup. */
const patienceMs = 400;

export interface ThreadOptions<Told> {
  readonly tell?: (told: Told) => void;
  readonly timeLimitMs?: number;
}

/** Starts the program at `url` with input that can be cloned, once fewer than `maxThreads` are busy. Its answer is a clone too. */
export function startThread<Answer, Told = never>(
  url: URL,
  input: unknown,
  options: ThreadOptions<Told> = {},
): Thread<Answer> {
  const job: Job = { worker: null, isEnded: false, stopped: Promise.withResolvers<void>() };
  const answer = slots.pass(async () => {
    const worker = await takeWorker(url.href);
    if (job.isEnded) {
      giveBack(url.href, worker);
      throw new Error('a thread was ended before it started');
    }
    job.worker = worker;
    return ask<Answer, Told>(job, worker, url.href, input, options);
  });
  return {
    answer,
    async end() {
      answer.catch(() => {});
      job.isEnded = true;
      const { worker, stopped } = job;
      if (!worker) return;
      worker.postMessage({ kind: 'stop' } satisfies Asked);
      await Promise.race([stopped.promise, new Promise((late) => setTimeout(late, patienceMs))]);
      await Promise.race([worker.terminate(), new Promise((late) => setTimeout(late, patienceMs))]);
    },
  };
}

interface Job {
  /** Null before it gets one and after it has returned it. */
  worker: Worker | null;
  isEnded: boolean;
  readonly stopped: PromiseWithResolvers<void>;
}

function ask<Answer, Told>(
  job: Job,
  worker: Worker,
  program: string,
  input: unknown,
  { tell, timeLimitMs }: ThreadOptions<Told>,
): Promise<Answer> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  const limit =
    timeLimitMs === undefined
      ? undefined
      : setTimeout(() => {
          reject(new ThreadTimeout(`it took more than ${timeLimitMs / 1000} s`));
          void worker.terminate();
        }, timeLimitMs);
  const settle = () => {
    clearTimeout(limit);
    job.stopped.resolve();
    job.worker = null;
  };
  const hear = (said: Said) => {
    if (said.kind === 'told') tell?.(said.value as Told);
    else if (said.kind === 'warned') process.emitWarning(said.message);
    else if (said.kind === 'stopped') job.stopped.resolve();
    else {
      settle();
      // Removed one by one: the worker must keep its other listeners.
      worker.off('message', hear).off('messageerror', reject).off('error', reject).off('exit', leave);
      giveBack(program, worker);
      if (said.kind === 'answer') resolve(said.value as Answer);
      else reject(revived(said));
    }
  };
  const leave = (code: number) => {
    settle();
    reject(new Error(`a thread ended early, with exit code ${code}`));
  };
  worker.on('message', hear).on('messageerror', reject).on('error', reject).on('exit', leave);
  worker.postMessage({ kind: 'work', input } satisfies Asked);
  return answer;
}

/** A parser reserves gigabytes of address space per thread; with more threads the system refuses to start programs. */
const maxThreads = 2;
const slots = new Semaphore(maxThreads);
/** Programs that ran before: a process that asks twice will ask again. */
const asked = new Set<string>();
/** Loading a program costs more than most answers, so threads that have answered wait here, oldest first. */
let idle: { readonly program: string; readonly worker: Worker }[] = [];
/** Number of threads, busy or idle. */
let alive = 0;

async function takeWorker(program: string): Promise<Worker> {
  const waiting = idle.find((each) => each.program === program);
  if (waiting) {
    idle = idle.filter((each) => each !== waiting);
    waiting.worker.ref();
    return waiting.worker;
  }
  if (alive >= maxThreads) await idle.shift()?.worker.terminate();
  return newWorker(program);
}

function newWorker(program: string): Worker {
  const worker = new Worker(new URL(program), { stdout: false, stderr: false });
  alive++;
  // A thread that fails while idle is not needed.
  worker.on('error', () => {});
  worker.on('exit', () => {
    alive--;
    idle = idle.filter((each) => each.worker !== worker);
  });
  return worker;
}

function giveBack(program: string, worker: Worker): void {
  if (asked.has(program)) {
    worker.unref();
    idle.push({ program, worker });
  } else worker.postMessage({ kind: 'leave' } satisfies Asked);
  asked.add(program);
}

/** A cloned error keeps only message and stack; its other properties travel separately. */
function revived({ error, facts }: Extract<Said, { kind: 'failed' }>): unknown {
  return error instanceof Error ? Object.assign(error, facts) : error;
}

export interface AroundThread<Told> {
  tell(told: Told): void;
  /** Registers a function to call when the thread is ended; returns how to unregister it. */
  onStop(cleanup: () => void | Promise<void>): () => void;
}

/** Runs inside the thread: handles each input. */
export function serveThread<Input, Told>(
  work: (input: Input, around: AroundThread<Told>) => Promise<unknown>,
): void {
  const port = parentPort;
  if (!port) throw new Error('this program is a thread');
  const say = (said: Said) => port.postMessage(said);
  const cleanups = new Set<() => void | Promise<void>>();
  const around: AroundThread<Told> = {
    tell: (value) => say({ kind: 'told', value }),
    onStop: (cleanup) => {
      cleanups.add(cleanup);
      return () => cleanups.delete(cleanup);
    },
  };
  port.on('message', async (message: Asked) => {
    if (message.kind === 'leave') port.close();
    else if (message.kind === 'work') say(await answerTo(() => work(message.input as Input, around)));
    else {
      for (const cleanup of [...cleanups].reverse()) await Promise.resolve(cleanup()).catch(() => {});
      say({ kind: 'stopped' });
    }
  });
  // The main thread decides which warnings are shown.
  process.removeAllListeners('warning');
  process.on('warning', ({ message }) => say({ kind: 'warned', message }));
}

async function answerTo(work: () => Promise<unknown>): Promise<Said> {
  try {
    return { kind: 'answer', value: await work() };
  } catch (error) {
    const facts = error instanceof Error ? { ...error, name: error.name } : {};
    return { kind: 'failed', error, facts: plain(facts) };
  }
}

function plain(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  );
}
