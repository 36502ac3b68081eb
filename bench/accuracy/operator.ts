import type { Branch } from '#test/support/scenario/scenario.ts';
import type { Random } from '../random.ts';
import type { OracleName } from './oracles/index.ts';
import type { Project } from './project.ts';

/** Changes of one side to base: new text by path, null for a deleted file. */
export type Edits = ReadonlyMap<string, string | null>;

export interface Sides {
  readonly a: Edits;
  readonly b: Edits;
  /** Changes of the third branch; default: unrelated. */
  readonly c?: Edits;
}

/** A possible conflict and its benign twin: the same kind of work, adapted so that both sides fit. */
export interface Candidate extends Sides {
  readonly twin: Sides;
  /** Additional files of base, if the project itself lacks the construct. */
  readonly base?: ReadonlyMap<string, string>;
  /** File in which the merged code fails. */
  readonly consumerFile: string;
  /** Modules to load in order to observe them; default: the consumer's file. */
  readonly runs?: readonly string[];
  /** What B adds to code that A moves, and the file A moves it to. */
  readonly edit?: { readonly text: string; readonly movedTo: string };
  /** Branches that the finding must name; default: both sides. */
  readonly guilty?: readonly ('a' | 'b' | 'c')[];
  /** A program that fails if the seeded files do not fit together; none: correct by construction. */
  readonly probe?: { readonly run: 'node' | 'python'; readonly script: string };
  /** Name at which both sides meet; part of a matching finding's symbols. */
  readonly symbol: string;
}

/** What conflicts are seeded into: sources, and the other files of the repository. */
export interface Ground {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
  /** Configuration files for checking the project. */
  readonly settings: ReadonlyMap<string, string>;
  /** What an unrelated branch adds. */
  readonly bystander: ReadonlyMap<string, string>;
}

/** One way to build two sides that merge and do not fit. */
export interface Way {
  readonly name: string;
  readonly rule: string;
  readonly oracle: OracleName;
  /** Diagnostics that side B may have alone, because what it uses comes from A. */
  readonly allowedAlone?: readonly string[];
  /** Rules that also correctly report the conflict or its twin. */
  readonly companions?: readonly string[];
}

/** Where a way can be tried. Not every candidate has to work: the oracle decides. */
export interface Operator<Where extends Ground = Project> extends Way {
  candidates(project: Where, random: Random): Iterable<Candidate>;
}

export function branchOf(name: string, edits: Edits): Branch {
  const contents = [...edits].map(
    ([path, text]) => [path, text === null ? null : Buffer.from(text)] as const,
  );
  return { name, changes: new Map(contents) };
}
