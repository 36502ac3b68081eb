/** Source lines around a site in one branch. */
export interface Frame {
  readonly branch: string;
  readonly file: string;
  /** True when the branch removed these lines. */
  readonly removed: boolean;
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** The line of the site itself. */
  readonly line: number;
  readonly column: number;
  readonly role: 'provider' | 'consumer';
}

/** Frames of each finding, by finding id. */
export type Frames = ReadonlyMap<string, readonly Frame[]>;
