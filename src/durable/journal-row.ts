import { crc32 } from 'node:zlib';

/** A row of the journal on disk. */
export interface JournalRow {
  readonly id: number;
  readonly run: string;
  readonly kind: 'event' | 'begun' | 'result' | 'artifact';
  readonly seq: number | null;
  readonly at: string | null;
  readonly type: string | null;
  readonly v: number | null;
  readonly step: string | null;
  readonly attempt: number | null;
  readonly key: string | null;
  readonly data: string;
  /** 1 on the last row of a commit. */
  readonly last: number;
  readonly sum: number;
}

export type JournalContent = Omit<JournalRow, 'id' | 'sum'>;

/** The order in which rows are written. */
export const journalColumns = [
  'run',
  'kind',
  'seq',
  'at',
  'type',
  'v',
  'step',
  'attempt',
  'key',
  'data',
  'last',
] as const satisfies readonly (keyof JournalContent)[];

/** Tells a written row from one that a damaged file makes up. */
export function checksum(row: JournalContent): number {
  const { run, kind, seq, at, type, v, step, attempt, key, last } = row;
  return crc32(row.data, crc32([run, kind, seq, at, type, v, step, attempt, key, last].join('\0')));
}

export function isIntact(row: JournalRow): boolean {
  // In a damaged file the column itself may have another name or type.
  return typeof row.data === 'string' && checksum(row) === row.sum;
}
