import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Extraction } from './extraction.ts';

/** The worker is beside this file, both in `src` and in `dist`. */
const program = new URL(`./extraction-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * A thread that extracts facts. When it fails, its answers are null and the caller does the work. The invariant: which thread extracts a
 * file never changes its facts.
 */
export class ExtractionThread {
  readonly #worker: Worker;
  readonly #waiting: ((answer: (Buffer | null)[] | null) => void)[] = [];
  /** Why the thread is gone; null while it works. */
  problem: string | null = null;

  constructor(worker = new Worker(program)) {
    this.#worker = worker;
    worker.on('message', (packed: (Uint8Array | null)[]) =>
      this.#waiting.shift()?.(packed.map((bytes) => bytes && Buffer.from(bytes.buffer))),
    );
    worker.on('messageerror', (error) => this.#fail(error.message));
    worker.on('error', (error) => this.#fail(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => this.#fail(`exit code ${code}`));
  }

  /** Packed facts in the order of the requests; null when the thread has failed. */
  extract(requests: readonly Extraction[]): Promise<(Buffer | null)[] | null> {
    if (this.problem !== null) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker.postMessage(requests);
    });
  }

  async close(): Promise<void> {
    this.problem ??= 'closed';
    await this.#worker.terminate();
  }

  #fail(reason: string): void {
    this.problem ??= reason;
    for (const answer of this.#waiting.splice(0)) answer(null);
  }
}
