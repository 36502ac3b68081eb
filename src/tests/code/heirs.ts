import type { TestCase } from './test-case.ts';

const likeness = 0.5;
const mostLines = 300;
/** At most this many candidates are compared with a missing test: those that share its rarest assertions, lines or words. */
const mostCompared = 30;

interface Candidate {
  readonly test: TestCase;
  readonly order: number;
  readonly assertions: ReadonlySet<string>;
  readonly lines: readonly string[];
  readonly words: readonly string[];
}

/**
 * Finds the test that replaced a rewritten one: it has all its assertions, most of its lines, or nearly its title. The
 * work is linear in the number of tests, not quadratic.
 */
export class Heirs {
  readonly #byTrait = new Map<string, Set<Candidate>>();

  constructor(tests: readonly TestCase[]) {
    tests.forEach((test, order) => {
      const candidate = candidateOf(test, order);
      for (const trait of traitsOf(candidate)) {
        const alike = this.#byTrait.get(trait) ?? new Set();
        this.#byTrait.set(trait, alike.add(candidate));
      }
    });
  }

  /** Each test replaces at most one other. */
  take(lost: TestCase): TestCase | undefined {
    const missed = candidateOf(lost, -1);
    const [best] = this.#alike(missed)
      .map((candidate) => ({ candidate, share: shareOf(missed, candidate) }))
      .filter(({ share }) => share > likeness)
      .sort((a, b) => b.share - a.share || a.candidate.order - b.candidate.order);
    if (!best) return undefined;
    for (const trait of traitsOf(best.candidate)) this.#byTrait.get(trait)?.delete(best.candidate);
    return best.candidate.test;
  }

  #alike(missed: Candidate): Candidate[] {
    const found = new Set<Candidate>();
    const rareFirst = traitsOf(missed)
      .flatMap((trait) => this.#byTrait.get(trait) ?? [])
      .sort((a, b) => a.size - b.size);
    for (const alike of rareFirst)
      for (const candidate of alike) {
        found.add(candidate);
        if (found.size === mostCompared) return [...found];
      }
    return [...found];
  }
}

function candidateOf(test: TestCase, order: number): Candidate {
  return {
    test,
    order,
    assertions: new Set(test.assertions.map(({ text }) => text)),
    lines: test.source
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /\w/.test(line))
      .slice(0, mostLines),
    words: test.id.toLowerCase().match(/\w+/g) ?? [],
  };
}

function traitsOf({ assertions, lines, words }: Candidate): string[] {
  return [
    ...new Set([
      ...[...assertions].map((text) => `asserts ${text}`),
      ...lines.map((line) => `line ${line}`),
      ...words.map((word) => `word ${word}`),
    ]),
  ];
}

function shareOf(lost: Candidate, candidate: Candidate): number {
  const isWhole =
    lost.assertions.size > 0 && [...lost.assertions].every((text) => candidate.assertions.has(text));
  return isWhole
    ? 1
    : Math.max(commonShare(lost.lines, candidate.lines), commonShare(lost.words, candidate.words));
}

/** The share of the longer list that is also in the other one. */
function commonShare(these: readonly string[], those: readonly string[]): number {
  const left = new Map<string, number>();
  for (const each of those) left.set(each, (left.get(each) ?? 0) + 1);
  const common = these.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count > 0;
  });
  return common.length / Math.max(1, these.length, those.length);
}
