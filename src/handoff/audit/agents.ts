import type { HandoffRecord, Subsection } from '../markdown/read-record.ts';

/** What a `path#anchor` turned out to be. */
export type RefState = 'ok' | 'missing-file' | 'fabricated' | 'invalid';

/** A reference of a record, held against what is there. */
interface CheckedRef {
  /** `path#anchor` as it was written. */
  readonly ref: string;
  readonly file: string;
  readonly line: number;
  readonly state: RefState;
}

export interface CheckedOutput extends CheckedRef {
  /** Names of agents that are addressed and known, whether they took part or not. */
  readonly to: readonly string[];
}

export interface CheckedInput extends CheckedRef {
  readonly usedFor: string;
}

/** A record of one agent, with every reference looked up. */
export interface CheckedRecord {
  readonly inputs: readonly CheckedInput[];
  readonly outputs: readonly CheckedOutput[];
  readonly decisions: number;
  readonly none: readonly Subsection[];
  /** All three subsections are there, each with an item. */
  readonly isComplete: boolean;
  readonly malformed: number;
}

/** An agent of a pipeline or a run, as far as an audit has to know it. */
export interface AuditedAgent {
  readonly id: string;
  /** What others may call it: its role, in a run its task as well. */
  readonly names: readonly string[];
  readonly order: number | null;
  readonly mayStart: boolean;
  readonly isTerminal: boolean;
  readonly handsOnTo: readonly string[];
  readonly files: readonly string[];
  /** Null: it left no record. */
  readonly record: CheckedRecord | null;
}

export function isComplete(record: HandoffRecord): boolean {
  return record.absent.length === 0 && record.empty.length === 0;
}

/** What an agent hands on reaches those that work later; where the order is unknown, every agent. */
export function isUpstream(from: AuditedAgent, to: AuditedAgent): boolean {
  return from.order === null || to.order === null || from.order < to.order;
}
