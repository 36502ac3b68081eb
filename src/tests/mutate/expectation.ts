import type { Edit } from './edit.ts';

/** A test as it is written, and what would make it demand something else. */
export interface ExpectingTest {
  readonly start: number;
  readonly end: number;
  /** Where its title stands. */
  readonly title: { readonly start: number; readonly end: number };
  /** One expected value each that is another one. */
  readonly edits: readonly ExpectationEdit[];
}

export interface ExpectationEdit extends Edit {
  /** A value that is near may be right as well: only one that is far off is another one. */
  readonly isRough?: boolean;
}

/**
 * Whether a function of the project's own, as `same` in `same(add(1, 2), 3)`, expects its last argument by its name. What a test
 * prepares with, as `writeFile(path, 'text')`, expects nothing: with another value the test passes all the same.
 */
export function isNamedLikeAssertion(name: string): boolean {
  return /^_*(?:assert|expect|check|verify|ensure|should|must|same|equals?|eq|deep|close|near|matches|is)(?![a-z])/.test(
    name,
  );
}

/** Added to a number: the result of no program is off by the first by chance; a result that fits all that is near fits the others. */
const offsets = [1009, 1, 2, 17] as const;
const words = ['other', 'qzj', 'x9w', 'kvw'] as const;

export type Roll = (sides: number) => number;

/** Another value of the same kind, of several; null of what is no plain value. */
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

/** The test once more, under another title and with another expectation. */
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
