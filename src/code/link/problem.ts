import type { Span } from '#code/facts/facts.ts';
import type { CallMismatch } from '#code/languages/dialect.ts';
import { symbolId } from '#schema/identity.ts';
import type { RuleId } from '#schema/rules.ts';
import type { Tier } from '#schema/vocabulary.ts';
import type { Closed } from './absence.ts';

/** Kinds of the linker; a problem that a rule finds itself has the rule's id, one of a type checker is `diagnostic`. */
export type ProblemKind =
  | 'duplicate-key'
  | 'duplicate-definition'
  | 'module-missing'
  | 'export-missing'
  | 'member-missing'
  | 'call-mismatch'
  | 'member-unimplemented'
  | 'override-mismatch'
  | 'override-missing'
  | 'type-arguments'
  | 'ambiguous-name'
  | 'name-unbound'
  | 'diagnostic'
  | RuleId;

/** Kinds that say that something is missing. */
export type AbsenceKind = Extract<
  ProblemKind,
  | 'module-missing'
  | 'export-missing'
  | 'member-missing'
  | 'member-unimplemented'
  | 'override-missing'
  | 'name-unbound'
>;

export type OtherKind = Exclude<ProblemKind, AbsenceKind>;

/** Whether a problem of a kind is proven: of an absence only `isClosed` says so. */
export type Proof<Kind extends ProblemKind> = Kind extends AbsenceKind ? Closed | false : boolean;

export interface Place extends Span {
  readonly file: string;
  readonly symbol: string;
}

/** A problem in one tree. Two trees have the same problem when the `key` is the same, wherever the lines are. */
export type Problem = ProblemOf<AbsenceKind> | ProblemOf<OtherKind>;

export interface ProblemOf<Kind extends ProblemKind> {
  readonly kind: Kind;
  readonly key: string;
  /** Symbol ids. For a missing module the provider is the specifier as written. */
  readonly consumer: string;
  readonly provider: string;
  readonly file: string;
  readonly sites: readonly Place[];
  /** Where the provider is defined, if it exists. */
  readonly definedAt: readonly Place[];
  /** Follows from fully known facts. */
  readonly proven: Proof<Kind>;
  /** A member that is missing by name, in a class with members named by constants. */
  readonly keyed?: true;
  /** A member that other code may have set. */
  readonly lent?: true;
  /** A call of a decorated function, which may take other arguments than it lists. */
  readonly wrapped?: true;
  readonly tier: Tier;
  /** A statement about the union, e.g. `src/api.ts exports no getUser`. */
  readonly statement: string;
  readonly mismatch: CallMismatch | null;
  /** Missing modules: the paths that would have satisfied the import. */
  readonly tried: readonly string[];
}

/** A problem at one site: sites of the same problem are collected later. */
export type Report = ReportOf<AbsenceKind> | ReportOf<OtherKind>;

type ReportOf<Kind extends ProblemKind> = Partial<
  Omit<ProblemOf<Kind>, 'sites' | 'key' | 'consumer' | 'file'>
> & {
  readonly kind: Kind;
  readonly at: Span;
  readonly scope: string;
  readonly provider: string;
  readonly proven: Proof<Kind>;
  readonly statement: string;
  /** Distinguishes it from other problems between the same two symbols. */
  readonly detail?: string;
};

export function place(file: string, at: Span, scope: string): Place {
  return { file, line: at.line, column: at.column, endLine: at.endLine, symbol: symbolId(file, scope) };
}
