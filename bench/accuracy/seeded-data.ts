import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The result of one operator in one project. */
export interface SeededWay {
  /** Part of the bench: `accuracy-python`. */
  readonly part: string;
  readonly rule: string;
  readonly way: string;
  readonly project: string;
  readonly language: 'typescript' | 'python';
  /** Never looked at while rules were tuned. */
  readonly heldOut: boolean;
  readonly oracle: string;
  readonly drawn: number;
  readonly kept: number;
  /** Conflicts that some finding describes. */
  readonly found: number;
  readonly twinAlarms: number;
  /** By rule: findings that describe the conflict, and other findings, including those on twins. */
  readonly said: Readonly<Record<string, { readonly real: number; readonly wrong: number }>>;
}

const file = fileURLToPath(new URL('./seeded.json', import.meta.url));

export function readSeeded(): SeededWay[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SeededWay[]) : [];
}

/** Replaces earlier results of the same operators in the same projects. */
export function recordSeeded(ways: readonly SeededWay[]): void {
  const keyOf = ({ part, way, project }: SeededWay) => JSON.stringify([part, way, project]);
  const fresh = new Set(ways.map(keyOf));
  const all = [...readSeeded().filter((way) => !fresh.has(keyOf(way))), ...ways];
  all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}
