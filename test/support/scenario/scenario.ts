import type { Expectation } from './header.ts';

/** Content by path: `src/dates.ts`. */
export type Files = ReadonlyMap<string, Buffer>;

/** Changes of a branch to base: new content by path, null for a deleted file. */
export type Changes = ReadonlyMap<string, Buffer | null>;

export interface Branch {
  readonly name: string;
  readonly changes: Changes;
}

/** A base and its branches. */
export interface Fork {
  readonly base: Files;
  readonly branches: readonly Branch[];
  /** Changes of base after the branches forked; null if it did not move. */
  readonly main: Changes | null;
  /** Checked with `--risk`. */
  readonly risk?: true;
}

/** A fork and the expected result of `joinery check`: one file below `test/rules`. */
export interface Scenario extends Fork {
  readonly title: string;
  /** The rule it is about: `S01`. */
  readonly rule: string;
  readonly expected: Expectation;
}

/** The files of base after the changes of a branch. */
export function applyChanges(base: Files, changes: Changes): Files {
  const files = new Map(base);
  for (const [path, content] of changes) {
    if (content === null) files.delete(path);
    else files.set(path, content);
  }
  return files;
}
