import type { FactsReader } from '#code/extraction/facts-reader.ts';
import type { Problem } from '#code/link/problem.ts';
import type { History } from '#git/history/history.ts';
import type { WordSearch } from '#git/trees/word-search.ts';
import type { FindingBeforePolicy } from '#schema/check-report.ts';
import type { Workspace } from './branches/branch-tips.ts';
import type { Base, Branch } from './branches/branches.ts';
import type { Looked } from './cache/looked.ts';
import type { OutcomeStore } from './cache/outcome-store.ts';
import type { Stage } from './check.ts';
import type { Assembled } from './findings/findings.ts';
import type { Shown } from './findings/frames.ts';
import type { BlastRadius } from './findings/owner.ts';
import type { LinkMemory } from './link-memory/link-memory.ts';
import type { SharedGrounds } from './pairs/shared-grounds.ts';
import type { CodeTrees } from './unions/unions.ts';

/** Shared by all stages of a check. */
export interface CheckContext {
  readonly workspace: Workspace;
  readonly base: Base;
  readonly branches: readonly Branch[];
  /** The commits that branches have beyond base. */
  readonly history: History;
  /** What branches share beyond base. */
  readonly grounds: SharedGrounds;
  readonly reader: FactsReader;
  readonly trees: CodeTrees;
  readonly links: LinkMemory;
  readonly outcomes: OutcomeStore;
  /** What was looked at outside git. */
  readonly looked: Looked;
  /** Writes the answers found so far: until then they take memory. */
  readonly keepAnswers: () => void;
  readonly pythonRoots: readonly string[];
  readonly words: WordSearch;
  readonly radius: BlastRadius;
  readonly progress: (text: string) => void;
  /** Reports the stage that starts. */
  readonly stage: (name: Stage) => void;
}

/** A finding in the form in which stages pass it on and the cache stores it: plain values only. */
export interface FoundIn {
  readonly assembled: {
    readonly finding: FindingBeforePolicy;
    /** The problems it was assembled from. */
    readonly problems: readonly Pick<Problem, 'file' | 'key'>[];
    readonly places: readonly Pick<Assembled['places'][number], 'site' | 'inUnion'>[];
  };
  /** The tree in which its consumer sites were found. */
  readonly unionTree: string | null;
  readonly shown: Shown;
}
