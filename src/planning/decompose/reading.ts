/** What the base commit says about the files that tasks declare. Plain data, so that a step can record it. */
export interface CodeReading {
  /** Files that exist, by declaration: a folder stands for everything in it. */
  readonly existing: Readonly<Record<string, readonly string[]>>;
  /** Lines of each of these files. */
  readonly lines: Readonly<Record<string, number>>;
  /** Names that others can ask a file for. */
  readonly offers: Readonly<Record<string, readonly string[]>>;
  /** Which file asks which other file for which names, through whatever barrels; no names: for the file as such. */
  readonly uses: readonly FileUse[];
  /** Files that were changed together before: counts of commits. */
  readonly coChanges: readonly CoChange[];
  /** Files that could not be read as code: what they use is not known. */
  readonly unread: readonly { readonly path: string; readonly reason: string }[];
}

export interface FileUse {
  readonly from: string;
  readonly to: string;
  readonly names: readonly string[];
}

export interface CoChange {
  readonly a: string;
  readonly b: string;
  readonly together: number;
  /** Commits of the one that was changed less often. */
  readonly atLeast: number;
}

export const emptyReading: CodeReading = {
  existing: {},
  lines: {},
  offers: {},
  uses: [],
  coChanges: [],
  unread: [],
};
