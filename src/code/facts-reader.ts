import type { Facts } from './facts.ts';
import type { FactsKey, FactsStore } from './facts-store.ts';
import type { Language } from './language.ts';
import { languageOf } from './languages/index.ts';
import { pack } from './packing/pack.ts';
import { unpack } from './packing/unpack.ts';

/** Where blobs come from: a long-lived `cat-file`. */
export interface BlobSource {
  header(id: string): Promise<{ readonly size: number } | null>;
  content(id: string): Promise<Buffer | null>;
}

export interface FileRequest {
  readonly path: string;
  readonly blob: string;
}

export interface ReadCounts {
  extracted: number;
  cached: number;
}

/** Larger files are generated or data; they are reported as unreadable rather than parsed for minutes. */
const maxFileBytes = 8 * 1024 * 1024;
const batchSize = 256;

/** Facts of files, from the cache or by extraction. Load first, then read synchronously. */
export class FactsReader {
  readonly #source: BlobSource;
  readonly #store: FactsStore;
  readonly #facts = new Map<string, Facts>();
  readonly #unreadable = new Map<string, string>();
  readonly counts: ReadCounts = { extracted: 0, cached: 0 };

  constructor(source: BlobSource, store: FactsStore) {
    this.#source = source;
    this.#store = store;
  }

  /** Facts of a loaded file; undefined when its language is not known or it could not be read. */
  facts(path: string, blob: string): Facts | undefined {
    const language = languageOf(path);
    return language && this.#facts.get(cacheKey(blob, language));
  }

  /** False only while a file of a known language has not been asked for. */
  isLoaded(path: string, blob: string): boolean {
    const language = languageOf(path);
    return !language || this.#facts.has(cacheKey(blob, language)) || this.#unreadable.has(blob);
  }

  /** Why a file of a known language could not be read; undefined when it could. */
  unreadable(blob: string): string | undefined {
    return this.#unreadable.get(blob);
  }

  async load(requests: Iterable<FileRequest>): Promise<void> {
    const wanted = new Map<string, { language: Language; blob: string }>();
    for (const { path, blob } of requests) {
      const language = languageOf(path);
      if (!language || this.#unreadable.has(blob)) continue;
      const key = cacheKey(blob, language);
      if (!this.#facts.has(key)) wanted.set(key, { language, blob });
    }
    const missing = this.#fromStore([...wanted.values()]);
    for (let start = 0; start < missing.length; start += batchSize) {
      await this.#extract(missing.slice(start, start + batchSize));
    }
  }

  #fromStore(
    wanted: readonly { language: Language; blob: string }[],
  ): { language: Language; blob: string }[] {
    const found = this.#store.read(wanted.map(({ language, blob }) => keyOf(blob, language)));
    return wanted.filter(({ language, blob }, index) => {
      const packed = found[index];
      if (!packed) return true;
      this.#facts.set(cacheKey(blob, language), unpack(packed));
      this.counts.cached++;
      return false;
    });
  }

  async #extract(batch: readonly { language: Language; blob: string }[]): Promise<void> {
    await Promise.all(
      [...new Set(batch.map(({ language }) => language))].map((language) => language.prepare()),
    );
    const contents = await Promise.all(batch.map(({ blob }) => this.#content(blob)));
    const extracted = batch.flatMap(({ language, blob }, index) => {
      // Decoded one by one: a text that is needed no more costs the garbage collector nothing.
      const text = this.#text(blob, contents[index] ?? null);
      if (text === null) return [];
      // Kept packed: the facts of a whole repository as objects would fill the memory.
      const packed = pack(language.extract(text));
      this.#facts.set(cacheKey(blob, language), unpack(packed));
      this.counts.extracted++;
      return [{ key: keyOf(blob, language), packed }];
    });
    this.#store.write(extracted);
  }

  async #content(blob: string): Promise<Buffer | null> {
    const header = await this.#source.header(blob);
    if (!header) return this.#refuse(blob, 'the clone does not have its content (partial or damaged clone)');
    if (header.size > maxFileBytes) {
      return this.#refuse(
        blob,
        `${Math.round(header.size / 1024 / 1024)} MB, more than the ${maxFileBytes / 1024 / 1024} MB that are parsed`,
      );
    }
    const content = await this.#source.content(blob);
    return content ?? this.#refuse(blob, 'the clone does not have its content (partial or damaged clone)');
  }

  #text(blob: string, content: Buffer | null): string | null {
    return content && (decode(content) ?? this.#refuse(blob, reasonNotText(content)));
  }

  #refuse(blob: string, reason: string): null {
    this.#unreadable.set(blob, reason);
    return null;
  }
}

function keyOf(blob: string, language: Language): FactsKey {
  return { blob, language: language.id, version: language.version };
}

function cacheKey(blob: string, language: Language): string {
  return `${blob} ${language.id}`;
}

const lfsHeader = 'version https://git-lfs.github.com/spec/';

function decode(content: Buffer): string | null {
  if (content[0] === 0xff && content[1] === 0xfe) return content.toString('utf16le', 2);
  if (content.includes(0) || content.toString('latin1', 0, lfsHeader.length) === lfsHeader) return null;
  return content.toString('utf8');
}

function reasonNotText(content: Buffer): string {
  return content.includes(0) ? 'binary content' : 'a Git LFS pointer: its content is not in the repository';
}
