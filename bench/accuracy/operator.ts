import type { Branch } from '#test/support/scenario/scenario.ts';
import type { Random } from '../random.ts';
import type { OracleName } from './oracles/index.ts';
import type { Project } from './project.ts';

/** What one side does to base: new text by path, null for a deleted file. */
export type Edits = ReadonlyMap<string, string | null>;

export interface Sides {
  readonly a: Edits;
  readonly b: Edits;
  /** What the third branch does; when not said, it has nothing to do with it. */
  readonly c?: Edits;
}

/** A conflict to try and its benign twin: the same kind of work, adapted so that both sides fit. */
export interface Candidate extends Sides {
  readonly twin: Sides;
  /** What base has besides the project, where the project itself lacks the construct. */
  readonly base?: ReadonlyMap<string, string>;
  /** File in which the merged code fails. */
  readonly consumerFile: string;
  /** Modules that are loaded to see what they do; the consumer's file when not said. */
  readonly runs?: readonly string[];
  /** What B adds to code that A moves, and the file A moves it to. */
  readonly edit?: { readonly text: string; readonly movedTo: string };
  /** Who has to be named; both sides when not said. */
  readonly guilty?: readonly ('a' | 'b' | 'c')[];
  /** A program that fails where the seeded files do not fit together; none: known by how it was made. */
  readonly probe?: { readonly run: 'node' | 'python'; readonly script: string };
  /** Name both sides meet at; part of a matching finding's symbols. */
  readonly symbol: string;
}

/** What is seeded into: sources, and what else a repository of them has. */
export interface Ground {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
  /** Files that the project is checked with. */
  readonly settings: ReadonlyMap<string, string>;
  /** What a branch that has nothing to do with it adds. */
  readonly bystander: ReadonlyMap<string, string>;
}

/** One way to make two sides that merge and do not fit. */
export interface Way {
  readonly name: string;
  readonly rule: string;
  readonly oracle: OracleName;
  /** Diagnostics that side B may have alone, because what it builds on comes from A. */
  readonly allowedAlone?: readonly string[];
  /** Rules that rightly speak as well, of the conflict and of its twin. */
  readonly companions?: readonly string[];
}

/** Where a way can be tried. Candidates need not all work: the oracle decides. */
export interface Operator<Where extends Ground = Project> extends Way {
  candidates(project: Where, random: Random): Iterable<Candidate>;
}

export function branchOf(name: string, edits: Edits): Branch {
  const contents = [...edits].map(
    ([path, text]) => [path, text === null ? null : Buffer.from(text)] as const,
  );
  return { name, changes: new Map(contents) };
}
