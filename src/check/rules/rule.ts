import type { ChangedCall } from '#check/members/changed-calls.ts';
import type { Member, ReadMember } from '#check/members/member.ts';
import type { SeamProblem } from '#check/members/union-problems.ts';
import type { FactsReader } from '#code/extraction/facts-reader.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { Merge } from '#git/merges/unions.ts';
import type { RuleFacts, RuleId } from '#schema/rules.ts';
import type { Confidence } from '#schema/vocabulary.ts';
import type { Claim } from './claims/claim.ts';
import type { BrokenContract } from './contracts/contract.ts';
import type { DiagnosedProblem, Diagnosis, Follower } from './diagnosis.ts';
import type { Cause } from './linked/cause.ts';
import type { Seams } from './survey/seams.ts';
import type { Sighting, Survey } from './survey/survey.ts';
import type { ConflictSite } from './text/conflict-sites.ts';
import type { LostEdit } from './text/lost-edits.ts';
import type { SharedCause } from './unresolved/one-cause.ts';

/** `registry.ts` lists all rules. */
export type Rule = AnyRule & (ClaimsPresence | ClaimsAbsence);

interface ClaimsPresence {
  readonly claims?: never;
}

/** It finds on its own that something is missing, and cannot say `proven` without having asked what may bring it: see `claims/claim.ts`. */
interface ClaimsAbsence {
  readonly claims: 'absence';
  readonly detect: {
    code?(pair: CodePair): Iterable<ClaimedFound> | Promise<Iterable<ClaimedFound>>;
    text?(pair: TextPair): Iterable<ClaimedFound> | Promise<Iterable<ClaimedFound>>;
    survey?(survey: Survey): Promise<Iterable<Claimed<Sighting>>>;
  };
}

/** A statement whose confidence was asked for. */
export type Claimed<Statement extends { readonly confidence: Confidence }> = Omit<Statement, 'confidence'> & {
  readonly confidence: Claim;
};

/** Everything about one rule: its texts, where it looks, who has to change. */
interface AnyRule extends RuleFacts {
  /** The confidence it can reach alone, best first. A type checker may prove what is only likely here. */
  readonly proof: readonly Confidence[];
  /** Who has to change the code, unless a finding names another owner. `stated`: every finding names its owner. */
  readonly owner: Follower | 'stated';
  /**
   * Errors of type checkers that follow from a finding of this rule although they are elsewhere: all errors of its file, those of its file
   * about missing types, those about the spelling of its path. They prove the finding and are not reported again.
   */
  readonly entails?: 'all-errors' | 'missing-types' | 'path-spelling';
  /** This rule reports nothing where another rule reports the same thing between the same branches. */
  readonly givesWay?: true;
  readonly detect: Detection;
}

/** Where a rule looks. It has at least one of these; `detect.ts` asks all rules at each place. */
export interface Detection {
  /** Problems that the linker finds in a union, by what the other branch did. Each cause belongs to one rule. */
  readonly linked?: {
    readonly [Kind in Cause['kind']]?: (
      seam: SeamProblem,
      cause: Extract<Cause, { kind: Kind }>,
    ) => Claimed<Said>;
  };
  /** A new call of a function that the other branch changed. */
  call?(call: ChangedCall): BrokenContract | null;
  /** It also checks calls that tests expect from mocks. */
  readonly readsExpectations?: true;
  /** If one of these rules finds the same call broken, this one reports nothing. */
  readonly yieldsTo?: readonly RuleId[];
  /** The rule searches the code of a union itself. */
  code?(pair: CodePair): Iterable<Found> | Promise<Iterable<Found>>;
  /** The merged text of two branches, conflicts included. */
  text?(pair: TextPair): Iterable<Found> | Promise<Iterable<Found>>;
  /**
   * Two branches that change paths with the same key may clash, although the paths differ: `migrations in db/migrate`. Without it, branches
   * are compared only if one changed what the other changed or depends on.
   */
  meetsAt?(path: string): string | null;
  /** Whether two compared branches can clash by this rule although neither uses a change of the other. */
  canMeet?(a: Member, b: Member): boolean;
  /** A branch that merges with each of the others, but not with all of them together. */
  lateConflict?(late: Member, other: Member, merge: Conflict, sites: readonly ConflictSite[]): Found;
  /** Imports of one branch that nothing provides, not even the union of all. */
  unresolved?(imported: SharedCause, side: Member): ClaimedFound;
  /** All branches at once, by their changes. */
  survey?(survey: Survey): Promise<Iterable<Sighting>>;
  /** All branches on the graph of their union. It reads all code, so it runs only with `--risk`. */
  seams?(seams: Seams): Iterable<Sighting>;
  /** Errors that these type checkers, the branches' own tests or the build report for a union and for no branch alone. */
  readonly checker?: 'typescript' | 'python' | 'compilers' | 'tests' | 'build';
}

/** What a rule reports about a problem. `detect.ts` adds its id and its default owner. */
export type Said = Omit<Diagnosis, 'rule' | 'owner' | 'fix'> & Partial<Pick<Diagnosis, 'owner' | 'fix'>>;

/** A problem between two branches, with the rule's report. */
export type Found = Omit<DiagnosedProblem, 'diagnosis'> & { readonly diagnosis: Said };

export type ClaimedFound = Omit<Found, 'diagnosis'> & { readonly diagnosis: Claimed<Said> };

export type Conflict = Extract<Merge, { status: 'conflict' }>;

/** Two branches and their union, in which all code can be read. */
export interface CodePair {
  readonly a: ReadMember;
  readonly b: ReadMember;
  readonly union: CodeTree;
}

/** Two branches, and their union as git merged it. */
export interface TextPair extends CodePair {
  /** null when the text merges. */
  readonly conflict: Conflict | null;
  /** Paths in the union that contain conflict markers. */
  readonly conflicted: ReadonlySet<string>;
  /** The lines of both sides that git cannot merge. */
  readonly sites: readonly ConflictSite[];
  /** Edits of symbols that the other branch removed. */
  readonly lostEdits: readonly LostEdit[];
  readonly reader: FactsReader;
  /** The text of a file in the union; null when it is absent, binary or very long. */
  read(path: string): Promise<string | null>;
}
