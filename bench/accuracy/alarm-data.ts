import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Confidence } from '#schema/vocabulary.ts';

/** A finding in a merge that people kept unchanged. */
export interface Alarm {
  readonly rule: string;
  readonly commit: string;
  readonly confidence: Confidence;
  readonly message: string;
}

/** Merges of one public history, and what the rules reported about them. */
export interface AlarmHistory {
  readonly repository: string;
  readonly commit: string;
  /** Never looked at while rules were tuned. */
  readonly heldOut: boolean;
  /** Rules that were run; the others were not measured. */
  readonly asked: readonly string[];
  /** Merges in which main had moved and the text merges. */
  readonly merges: readonly string[];
  readonly alarms: readonly Alarm[];
}

const file = fileURLToPath(new URL('./alarms.json', import.meta.url));

export function readAlarms(): AlarmHistory[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as AlarmHistory[]) : [];
}

export function addHistory(known: readonly AlarmHistory[], history: AlarmHistory): AlarmHistory[] {
  return [...known.filter(({ repository }) => repository !== history.repository), history].sort((a, b) =>
    a.repository < b.repository ? -1 : 1,
  );
}

export function writeAlarms(histories: readonly AlarmHistory[]): void {
  writeFileSync(file, `${JSON.stringify(histories, null, 2)}\n`);
}

/** The histories that a rule was run on. */
export function historiesOf(histories: readonly AlarmHistory[], rule: string): AlarmHistory[] {
  return histories.filter(({ asked }) => asked.includes(rule));
}

/** Merges in which a rule found something. */
export function mergesWith(histories: readonly AlarmHistory[], rule: string): number {
  return histories.reduce(
    (sum, { alarms }) =>
      sum + new Set(alarms.flatMap((each) => (each.rule === rule ? each.commit : []))).size,
    0,
  );
}

export function mergeCount(histories: readonly AlarmHistory[]): number {
  return histories.reduce((sum, { merges }) => sum + merges.length, 0);
}
