import type { Expectation } from './header.ts';

/** Content by path: `src/dates.ts`. */
export type Files = ReadonlyMap<string, Buffer>;

/** What a branch does to base: new content by path, null for a deleted file. */
export type Changes = ReadonlyMap<string, Buffer | null>;

export interface Branch {
  readonly name: string;
  readonly changes: Changes;
}

/** A base and what grew from it. */
export interface Fork {
  readonly base: Files;
  readonly branches: readonly Branch[];
  /** What base itself gained after the branches forked; null when it did not move. */
  readonly main: Changes | null;
  /** Checked with `--risk`. */
  readonly risk?: true;
}

/** A fork and what `joinery check` has to say about it: one file below `test/rules`. */
export interface Scenario extends Fork {
  readonly title: string;
  /** The rule it speaks of: `S01`. */
  readonly rule: string;
  readonly expected: Expectation;
}

/** The files of base as a branch leaves them. */
export function applyChanges(base: Files, changes: Changes): Files {
  const files = new Map(base);
  for (const [path, content] of changes) {
    if (content === null) files.delete(path);
    else files.set(path, content);
  }
  return files;
}
