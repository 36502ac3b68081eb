import type { Facts } from './facts.ts';

/** One language or data format. Extraction is pure: the same text in the same dialect gives the same facts. */
export interface Language {
  /** Part of the cache key. A dialect that parses differently (`ts`, `tsx`) has its own id. */
  readonly id: string;
  /** Part of the cache key: raise it whenever the facts of an unchanged file could change. */
  readonly version: number;
  /** Loads the parser; called once before the first `extract`. */
  prepare(): Promise<void>;
  /** Never throws for any text: a file that cannot be parsed comes back with `syntaxError`. */
  extract(text: string): Facts;
}
