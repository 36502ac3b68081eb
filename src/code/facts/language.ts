import type { Facts } from './facts.ts';

/** One language or data format. Extraction is pure: the same text gives the same facts. */
export interface Language {
  /** Part of the cache key. What parses differently (`ts`, `tsx`) has its own id. */
  readonly id: string;
  /** Part of the cache key: raise it whenever the facts of an unchanged file could change. */
  readonly version: number;
  /** Loads the parser; called once before the first `extract`. */
  prepare(): Promise<void>;
  /**
   * Never throws for any text: a file that cannot be parsed comes back with `syntaxError`. `utf8` are the bytes of the
   * text, where the caller has them: a parser that wants these need not encode the text again.
   */
  extract(text: string, utf8?: Uint8Array): Facts;
  /** Data formats: the documents of a text as values; null when it cannot be read. Never throws. */
  values?(text: string): readonly unknown[] | null;
}
