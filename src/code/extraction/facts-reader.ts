import { availableParallelism, loadavg } from 'node:os';
import type { Facts } from '#code/facts/facts.ts';
import type { FactsStore } from '#code/facts/facts-store.ts';
import type { Language } from '#code/facts/language.ts';
import { unpack } from '#code/facts/packing/unpack.ts';
import { languageOf } from '#code/languages/index.ts';
import { countParse } from '#lib/counted.ts';
import { reasonNotText } from './decode.ts';
import { asBuffer, readApart } from './read-apart.ts';

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
/** From this many files on a second process is faster, even with its start and cold code. */
const worthSecondProcess = 1000;

interface Wanted {
  readonly key: string;
  readonly language: Language;
  readonly blob: string;
}

/** Facts of files, from the cache or by extraction. Load first, then read synchronously. */
export class FactsReader {
  readonly #source: BlobSource;
  readonly #store: FactsStore;
  readonly #processes: number;
  /** By language, then by blob: the same text gives other facts in another language. */
  readonly #facts = new Map<Language, Map<string, Facts>>();
  readonly #unreadable = new Map<string, string>();
  readonly counts: ReadCounts = { extracted: 0, cached: 0 };

  constructor(source: BlobSource, store: FactsStore, processes = processesThatHelp()) {
    this.#source = source;
    this.#store = store;
    this.#processes = processes;
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
    const second = this.#processes > 1 && missing.length >= worthSecondProcess ? 1 : 0;
    const work = async (which: 0 | 1) => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await this.#extract(batch, which);
    };
    // Two batches are under way, so that a parser never waits for this thread; their order does not change any fact.
    await Promise.all([work(0), work(second)]);
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

  async #extract(batch: readonly Wanted[], which: 0 | 1): Promise<void> {
    const contents = await Promise.all(batch.map(({ blob }) => this.#content(blob)));
    const asked = batch.flatMap((wanted, index) => {
      const content = contents[index];
      if (content) countParse('facts', wanted.blob);
      return content ? [{ wanted, content }] : [];
    });
    const readings = await readApart(
      asked.map(({ wanted, content }) => ({ kind: 'facts', language: wanted.language.id, content })),
      which,
    );
    this.#store.write(
      asked.flatMap(({ wanted, content }, index) => {
        const reading = readings[index];
        const bytes = reading instanceof Uint8Array ? asBuffer(reading) : null;
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

/** A second process uses more CPU than it saves: it is faster only when a core is idle. */
function processesThatHelp(): number {
  const [busy = 0] = loadavg();
  return busy + 1 < availableParallelism() ? 2 : 1;
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
