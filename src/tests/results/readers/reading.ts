/** What a log says about a test run. */
export interface Reading {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** As far as the log names them. */
  readonly failing: readonly string[];
  /** Those that passed, of formats for programs; what is printed for people is looked through for all runners alike. */
  readonly passing?: readonly string[];
}

/** Understands the output of one runner. Pure, and null for anything it is not sure about. */
export interface TestReader {
  readonly name: string;
  /** Line by line, without colours. One reading per run of the runner that it finds. */
  read(lines: readonly string[]): Claim | null;
}

export interface Claim extends Reading {
  /** Lines that were understood: no other reader looks at them again. */
  readonly used: Iterable<number>;
}

/** Two tests of one name get different names, so that the number of names is the number of failures. */
export function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}~${count}`;
  });
}

/** Adds up `3 passed, 1 failed`-like pieces by the words in them. */
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
