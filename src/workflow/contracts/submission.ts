/** What an agent submits for a step. */
export interface Submission {
  readonly notes: string | null;
  readonly artifacts: readonly Readonly<Record<string, unknown>>[];
  readonly context: Readonly<Record<string, unknown>>;
}

export const emptySubmission: Submission = { notes: null, artifacts: [], context: {} };
