import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { HiddenLines } from './hidden-lines.ts';

/** The log file on disk. */
export interface LogRecord {
  readonly bytes: number;
  readonly sha256: string;
  /** The middle is missing, and a line in the file says how much. */
  readonly isCut: boolean;
  /** How many bytes the program wrote. */
  readonly writtenBytes: number;
}

const excerptBytes = 4096;

/** Keeps the beginning and the end of a stream of any length in a file of bounded size. */
export class BoundedLog {
  readonly #file: number;
  readonly #hash = createHash('sha256');
  readonly #headRoom: number;
  readonly #tailRoom: number;
  #head: Buffer = Buffer.alloc(0);
  #end: Buffer = Buffer.alloc(0);
  /** Newest last; in total slightly more than the tail needs. */
  readonly #tail: Buffer[] = [];
  #tailBytes = 0;
  #fileBytes = 0;
  #writtenBytes = 0;
  #failure: Error | null = null;
  readonly #lines: HiddenLines | null;

  constructor(path: string, maxBytes: number, hide?: (text: string) => string) {
    this.#lines = hide ? new HiddenLines(hide) : null;
    this.#headRoom = Math.ceil(maxBytes / 2);
    this.#tailRoom = Math.floor(maxBytes / 2);
    this.#file = openSync(path, 'w');
  }

  /** Never throws: an error of the file is reported at the end. */
  add(chunk: Buffer): void {
    this.#take(this.#lines ? Buffer.from(this.#lines.add(chunk)) : chunk);
  }

  #take(chunk: Buffer): void {
    this.#writtenBytes += chunk.length;
    if (this.#head.length < excerptBytes)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, excerptBytes - this.#head.length)]);
    this.#end =
      chunk.length < excerptBytes
        ? Buffer.concat([this.#end, chunk]).subarray(-excerptBytes)
        : chunk.subarray(-excerptBytes);
    const first = chunk.subarray(0, Math.max(0, this.#headRoom - this.#fileBytes));
    this.#write(first);
    this.#remember(chunk.subarray(first.length));
  }

  close(): LogRecord & { readonly head: string; readonly tail: string } {
    if (this.#lines) this.#take(Buffer.from(this.#lines.end()));
    const kept = Buffer.concat(this.#tail);
    const tail = kept.subarray(Math.max(0, kept.length - this.#tailRoom));
    const cut = this.#writtenBytes - this.#fileBytes - tail.length;
    if (cut > 0) this.#write(Buffer.from(`\n… ${cut} bytes are left out here …\n`));
    this.#write(tail);
    closeSync(this.#file);
    if (this.#failure) throw this.#failure;
    return {
      bytes: this.#fileBytes,
      sha256: this.#hash.digest('hex'),
      isCut: cut > 0,
      writtenBytes: this.#writtenBytes,
      head: this.#head.toString('utf8'),
      tail: this.#end.toString('utf8'),
    };
  }

  #remember(rest: Buffer): void {
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    for (let oldest = this.#tail[0]; oldest; oldest = this.#tail[0]) {
      if (this.#tailBytes - oldest.length < this.#tailRoom) return;
      this.#tailBytes -= oldest.length;
      this.#tail.shift();
    }
  }

  #write(bytes: Buffer): void {
    if (this.#failure) return;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      this.#hash.update(bytes);
      this.#fileBytes += bytes.length;
    } catch (error) {
      this.#failure = error as Error;
    }
  }
}
