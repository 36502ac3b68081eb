import type { Facts } from './facts.ts';

/** One language or data format. Extraction is pure: the same text gives the same facts. */
export interface Language {
  /** Part of the cache key. Variants that parse differently (`ts`, `tsx`) have separate ids. */
  readonly id: string;
  /** Part of the cache key: raise it whenever the facts of an unchanged file could change. */
  readonly version: number;
  /** Loads the parser; called once before the first `extract`. */
  prepare(): Promise<void>;
  /**
   * Never throws: a file that cannot be parsed gets a `syntaxError`. `utf8`: the bytes of the text, if the caller has them, so that a
   * parser of bytes need not encode it again.
   */
  extract(text: string, utf8?: Uint8Array): Facts;
  /** Data formats: the documents of a text as values; null when it cannot be parsed. Never throws. */
  values?(text: string): readonly unknown[] | null;
}
