import type { CaseRun } from '#gates/suite/judge-suite.ts';
import type { Gate, TestOrigin } from '#schema/gates.ts';

/** One run of a project's tests on a commit. */
export interface SuiteTrial extends CaseRun {
  readonly log: string;
  /** Of the lines that were asked for, those that ran; null: it is not known which lines ran. */
  readonly executed: readonly string[] | null;
  readonly wallMs: number;
  readonly limitMs: number;
  readonly evidence: string | null;
  /** What the tree asks for and the run did not have: `package-lock.json changed and …`. */
  readonly lacking: readonly string[];
}

/** Which part of the tests runs, and what is noted of it. */
export interface SuiteQuestion {
  /** Null: all of them. */
  readonly files: readonly string[] | null;
  /** Counts repetitions on one commit. */
  readonly time: number;
  /** `src/label.js:2`: lines of interest. */
  readonly lines: readonly string[];
}

/** How the tests of a project run on commits. Every result is kept: the same question is not run twice. */
export interface Suites {
  /** The tests that changes of these files need. */
  gatesFor(files: readonly string[]): readonly Gate[];
  /** Everything that says how the project is tested. */
  readonly sources: readonly TestOrigin[];
  run(gate: Gate, commit: string, question: SuiteQuestion): Promise<SuiteTrial>;
  /** Tells the person what starts: the command, its origin, how long it took the last time. */
  announce(gate: Gate): void;
}
