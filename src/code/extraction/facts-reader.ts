import { availableParallelism, loadavg } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Facts } from '#code/facts/facts.ts';
import type { FactsStore } from '#code/facts/facts-store.ts';
import type { Language } from '#code/facts/language.ts';
import { unpack } from '#code/facts/packing/unpack.ts';
import { languageOf } from '#code/languages/index.ts';
import { countParse } from '#lib/counted.ts';
import { reasonNotText } from './decode.ts';
import { type Extraction, extractAll } from './extraction.ts';
import type { ExtractionThread } from './extraction-thread.ts';

/** Where blobs come from: a long-lived `cat-file`. */
export interface BlobSource {
  /** Without content when it is larger; null when there is no such blob. */
  blob(
    id: string,
    maxBytes: number,
  ): Promise<{ readonly size: number; readonly content: Buffer | null } | null>;
}

export interface FileRequest {
  readonly path: string;
  readonly blob: string;
}

export interface ReadCounts {
  extracted: number;
  cached: number;
}

/** Larger files are generated or data; they are reported as unreadable, because parsing would take minutes. */
const maxFileBytes = 8 * 1024 * 1024;
const batchSize = 256;
/** From this many files on a second thread is faster, even with its start and cold code. */
const worthSecondThread = 1000;

interface Wanted {
  readonly key: string;
  readonly language: Language;
  readonly blob: string;
}

/** Facts of files, from the cache or by extraction. Load first, then read synchronously. */
export class FactsReader {
  readonly #source: BlobSource;
  readonly #store: FactsStore;
  readonly #threads: number;
  readonly #openThread: () => Promise<ExtractionThread>;
  /** By language, then by blob: the same text gives other facts in another language. */
  readonly #facts = new Map<Language, Map<string, Facts>>();
  readonly #unreadable = new Map<string, string>();
  readonly counts: ReadCounts = { extracted: 0, cached: 0 };

  constructor(source: BlobSource, store: FactsStore, threads = threadsThatHelp(), openThread = startThread) {
    this.#source = source;
    this.#store = store;
    this.#threads = threads;
    this.#openThread = openThread;
  }

  /** Facts of a loaded file; undefined when its language is not known or it could not be read. */
  facts(path: string, blob: string): Facts | undefined {
    const language = languageOf(path);
    return language && this.#facts.get(language)?.get(blob);
  }

  /** False only for a file of a known language that has not been loaded. */
  isLoaded(path: string, blob: string): boolean {
    const language = languageOf(path);
    return !language || this.#isKnown(language, blob);
  }

  /** Facts that are asked for again are read from the cache. */
  forget(blobs: Iterable<string>): void {
    for (const blob of blobs) for (const facts of this.#facts.values()) facts.delete(blob);
  }

  /** Why a file of a known language could not be read; undefined when it could. */
  unreadable(blob: string): string | undefined {
    return this.#unreadable.get(blob);
  }

  async load(requests: Iterable<FileRequest>): Promise<void> {
    const wanted = new Map<string, Wanted>();
    for (const { path, blob } of requests) {
      const language = languageOf(path);
      if (!language || this.#isKnown(language, blob)) continue;
      const key = keyOf(blob, language);
      wanted.set(key, { key, language, blob });
    }
    if (wanted.size === 0) return;
    const missing = this.#fromStore([...wanted.values()]);
    const batches = batchesOf(missing);
    if (this.#threads > 1 && missing.length >= worthSecondThread) await this.#extractOnTwo(batches);
    else for (const batch of batches) await this.#extract(batch);
  }

  #fromStore(wanted: readonly Wanted[]): Wanted[] {
    const found = this.#store.read(wanted.map(({ key }) => key));
    return wanted.filter((each, index) => {
      const packed = found[index];
      if (!packed) return true;
      this.#learn(each, packed);
      this.counts.cached++;
      return false;
    });
  }

  /** Each thread takes the next batch when it is free; the order does not change any fact. */
  async #extractOnTwo(batches: Wanted[][]): Promise<void> {
    const second = await this.#openThread();
    const work = async (thread: ExtractionThread | null) => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) {
        await this.#extract(batch, thread);
        // Lets this thread receive the answers of the other one.
        await setImmediate();
      }
    };
    try {
      // The second thread has two batches queued, so that it never waits for this one.
      await Promise.all([work(second), work(second), work(null)]);
      if (second.problem !== null) process.emitWarning(endedEarly(second.problem));
    } finally {
      await second.close();
    }
  }

  async #extract(batch: readonly Wanted[], thread: ExtractionThread | null = null): Promise<void> {
    const contents = await Promise.all(batch.map(({ blob }) => this.#content(blob)));
    const requests: Extraction[] = [];
    const asked: { readonly wanted: Wanted; readonly content: Buffer }[] = [];
    for (const [index, wanted] of batch.entries()) {
      const content = contents[index];
      if (!content) continue;
      asked.push({ wanted, content });
      requests.push({ language: wanted.language.id, content });
      countParse('facts', wanted.blob);
    }
    const packed = (await thread?.extract(requests)) ?? (await extractAll(requests));
    this.#store.write(
      asked.flatMap(({ wanted, content }, index) => {
        const bytes = packed[index];
        if (!bytes) {
          this.#refuse(wanted.blob, reasonNotText(content));
          return [];
        }
        this.#learn(wanted, bytes);
        this.counts.extracted++;
        return [{ key: wanted.key, packed: bytes }];
      }),
    );
  }

  async #content(blob: string): Promise<Buffer | null> {
    const found = await this.#source.blob(blob, maxFileBytes);
    if (!found) return this.#refuse(blob, 'the clone does not have its content (partial or damaged clone)');
    const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
    return (
      found.content ??
      this.#refuse(
        blob,
        `${megabytes(found.size)} MB, more than the ${megabytes(maxFileBytes)} MB that are parsed`,
      )
    );
  }

  #isKnown(language: Language, blob: string): boolean {
    return this.#facts.get(language)?.has(blob) || this.#unreadable.has(blob);
  }

  /** Cached in packed form: the facts of a whole repository as objects would fill the memory. */
  #learn({ language, blob }: Wanted, packed: Buffer): void {
    const known = this.#facts.get(language);
    if (known) known.set(blob, unpack(packed));
    else this.#facts.set(language, new Map([[blob, unpack(packed)]]));
  }

  #refuse(blob: string, reason: string): null {
    this.#unreadable.set(blob, reason);
    return null;
  }
}

async function startThread(): Promise<ExtractionThread> {
  const { ExtractionThread: Thread } = await import('./extraction-thread.ts');
  return new Thread();
}

/** A second thread uses more CPU than it saves: it is faster only when a core is idle. */
function threadsThatHelp(): number {
  const [busy = 0] = loadavg();
  return busy + 1 < availableParallelism() ? 2 : 1;
}

function endedEarly(reason: string): string {
  return `the second thread that reads files ended early (${reason}); the first one read the rest`;
}

function batchesOf(all: readonly Wanted[]): Wanted[][] {
  return Array.from({ length: Math.ceil(all.length / batchSize) }, (_, index) =>
    all.slice(index * batchSize, (index + 1) * batchSize),
  );
}

/** Everything that facts depend on. */
function keyOf(blob: string, { id, version }: Language): string {
  return `${blob} ${id} ${version}`;
}
