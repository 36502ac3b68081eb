/** What a log says about a test run. */
export interface Reading {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Failing tests, if the log names them. */
  readonly failing: readonly string[];
  /** Passed tests, only for machine-readable formats; output for people is searched in one place for all runners. */
  readonly passing?: readonly string[];
}

/** Parses the output of one runner. Pure; null if it is not sure. */
export interface TestReader {
  readonly name: string;
  /** Lines without colours. Returns one reading per run of the runner. */
  read(lines: readonly string[]): Claim | null;
}

export interface Claim extends Reading {
  /** Lines that were understood: other readers skip them. */
  readonly used: Iterable<number>;
}

/** Makes equal names distinct, so that the number of names is the number of failures. */
export function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}~${count}`;
  });
}

/** Sums pieces such as `3 passed, 1 failed` by their words. */
export function sumWords(
  text: string,
  words: Readonly<Record<'passed' | 'failed' | 'skipped', RegExp>>,
): Omit<Reading, 'failing' | 'passing'> {
  const sums = { passed: 0, failed: 0, skipped: 0 };
  for (const [, count = '', word = ''] of text.matchAll(/(?<!\d)(\d+) ([a-z]+)/gi)) {
    for (const key of ['passed', 'failed', 'skipped'] as const) {
      if (words[key].test(word)) sums[key] += Number(count);
    }
  }
  return sums;
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
