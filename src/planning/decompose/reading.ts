/** The files that tasks declare, at the base commit. Plain data, so that a step can record it. */
export interface CodeReading {
  /** Existing files, by declaration: a folder includes everything in it. */
  readonly existing: Readonly<Record<string, readonly string[]>>;
  /** Number of lines by file. */
  readonly lines: Readonly<Record<string, number>>;
  /** Names that each file exports. */
  readonly offers: Readonly<Record<string, readonly string[]>>;
  /** Which file uses which names of which other file, through any barrels; no names: the file as a whole. */
  readonly uses: readonly FileUse[];
  /** Files that changed together before: counts of commits. */
  readonly coChanges: readonly CoChange[];
  /** Files that could not be read as code: what they use is unknown. */
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
  /** Number of commits that changed the file that changed less often. */
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
