import type { HandoffRecord, Subsection } from '../markdown/read-record.ts';

/** The result of looking up a `path#anchor`. */
export type RefState = 'ok' | 'missing-file' | 'fabricated' | 'invalid';

/** A reference of a record, looked up. */
interface CheckedRef {
  /** `path#anchor` as written. */
  readonly ref: string;
  readonly file: string;
  readonly line: number;
  readonly state: RefState;
}

export interface CheckedOutput extends CheckedRef {
  /** Known agent names it is addressed to, whether they took part or not. */
  readonly to: readonly string[];
}

export interface CheckedInput extends CheckedRef {
  readonly usedFor: string;
}

/** The record of one agent, with every reference looked up. */
export interface CheckedRecord {
  readonly inputs: readonly CheckedInput[];
  readonly outputs: readonly CheckedOutput[];
  readonly decisions: number;
  readonly none: readonly Subsection[];
  /** All three subsections exist, each with an item. */
  readonly isComplete: boolean;
  readonly malformed: number;
}

/** An agent of a pipeline or a run, as far as an audit needs it. */
export interface AuditedAgent {
  readonly id: string;
  /** Names others may use for it: its role, and in a run also its task. */
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

/** Outputs go to agents that work later; if the order is unknown, to every agent. */
export function isUpstream(from: AuditedAgent, to: AuditedAgent): boolean {
  return from.order === null || to.order === null || from.order < to.order;
}
