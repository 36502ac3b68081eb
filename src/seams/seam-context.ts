import type { FactsReader } from '../code/facts-reader.ts';
import type { GitTree } from '../git/tree.ts';
import type { BranchWork, Named } from './branches.ts';
import type { Assembled } from './findings.ts';
import type { Workspace } from './named-branches.ts';
import type { BlastRadius } from './owner.ts';
import type { CodeTrees } from './unions.ts';

/** What every stage of a check shares. */
export interface SeamContext {
  readonly workspace: Workspace;
  readonly base: Named;
  readonly branches: readonly BranchWork[];
  readonly reader: FactsReader;
  readonly trees: CodeTrees;
  readonly radius: BlastRadius;
  readonly progress: (text: string) => void;
}

/** A finding and the tree in which its consumer sites were found. */
export interface FoundIn {
  readonly assembled: Assembled;
  readonly union: GitTree | null;
}
