/** What breaks, and how many milliseconds after the start of a run. */
export type Broken =
  | { readonly kind: 'nothing'; readonly ms: number }
  | { readonly kind: 'full' | 'read-only'; readonly place: BrokenPlace; readonly ms: number }
  /** From then on, this many more descriptors than are open. */
  | { readonly kind: 'no-descriptors'; readonly left: number; readonly ms: number }
  /** From the start. */
  | { readonly kind: 'few-descriptors'; readonly left: number; readonly ms: number }
  | { readonly kind: 'guard-killed'; readonly ms: number };

export const brokenPlaces = ['repo', 'state', 'cache', 'tmp'] as const;
type BrokenPlace = (typeof brokenPlaces)[number];

export interface CaseOrder {
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
  readonly plan: object;
  readonly scenario: object;
  readonly broken: Broken;
  readonly resumes: number;
}

/** The output of a command. */
export interface Told {
  readonly args: readonly string[];
  readonly code: number | null;
  readonly signal: string | null;
  readonly ms: number;
  readonly answer: unknown;
  readonly stderr: string;
}

export interface CaseResult {
  readonly told: readonly Told[];
  readonly run: string;
  /** `a approve`, for each attempt that ended; null for an interrupted one. */
  readonly verdicts: readonly string[];
  readonly accepted: readonly string[];
  readonly tree: string;
  readonly status: string;
  readonly worktrees: number;
  readonly locks: readonly string[];
  readonly fsck: string;
}
