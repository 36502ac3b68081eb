import type { Edit } from './edit.ts';

/** A test, and edits that make it expect something else. */
export interface ExpectingTest {
  readonly start: number;
  readonly end: number;
  /** Range of its title. */
  readonly title: { readonly start: number; readonly end: number };
  /** Each edit replaces one expected value. */
  readonly edits: readonly ExpectationEdit[];
}

export interface ExpectationEdit extends Edit {
  /** A close value may also be right (`assertAlmostEqual`): only a value far off is wrong. */
  readonly isRough?: boolean;
}

/**
 * Whether a function of the project is an assertion, by its name: `same` in `same(add(1, 2), 3)` expects its last argument.
 * Setup calls such as `writeFile(path, 'text')` expect nothing: the test passes with another value too.
 */
export function isNamedLikeAssertion(name: string): boolean {
  return /^_*(?:assert|expect|check|verify|ensure|should|must|same|equals?|eq|deep|close|near|matches|is)(?![a-z])/.test(
    name,
  );
}

/** Added to an expected number. No honest result is off by 1009; a forged one that accepts near values fits 1, 2 and 17. */
const offsets = [1009, 1, 2, 17] as const;
const words = ['other', 'qzj', 'x9w', 'kvw'] as const;

export type Roll = (sides: number) => number;

/** Another value of the same kind, one of several; null if the text is not a plain value. */
export function otherValue(written: string, roll: Roll = () => 0): string | null {
  const offset = offsets[roll(offsets.length)] ?? offsets[0];
  if (/^\d{1,15}$/.test(written)) return String(BigInt(written) + BigInt(offset));
  if (/^\d{0,15}\.\d{1,15}$/.test(written)) return String(Number(written) + offset);
  const other = others[written];
  if (other !== undefined) return other;
  const [, prefix = '', quote] = /^([bBuUrR]{0,2})("""|'''|["'`])/.exec(written) ?? [];
  if (quote !== undefined && !(quote === '`' && written.includes('${')))
    return `${prefix}${quote}${words[roll(words.length)]} ${written.slice(prefix.length + quote.length)}`;
  return /^\/[^/].*\/[a-z]*$/.test(written) ? '/other [0-9]{9}/' : null;
}

const others: Readonly<Record<string, string | undefined>> = {
  true: 'false',
  false: 'true',
  null: '1009',
  undefined: '1009',
  True: 'False',
  False: 'True',
  None: '1009',
};

/** A copy of the test with another title and another expectation. */
export function otherwise(text: string, test: ExpectingTest, edit: Edit, title: string): string {
  const [first, second] = [{ ...test.title, becomes: title }, edit].sort((a, b) => a.start - b.start);
  if (!first || !second) return '';
  return [
    text.slice(test.start, first.start),
    first.becomes,
    text.slice(first.end, second.start),
    second.becomes,
    text.slice(second.end, test.end),
  ].join('');
}
