import { type ExpectationEdit, type ExpectingTest, otherValue, otherwise, type Roll } from './expectation.ts';
import { mutableLanguageOf } from './mutants-of.ts';
import { pythonExpectations } from './python-expectations.ts';
import { scriptExpectations } from './script-expectations.ts';

/** The share of a file's tests that is copied. */
const share = 1 / 3;
const longestText = 300_000;

export interface OtherExpectations {
  readonly text: string;
  /** Titles of the added tests. */
  readonly names: readonly string[];
}

/** A secret draw that the author of the work cannot know. `roll` returns one of so many numbers, the same on each call. */
export interface Lot {
  nameFor(at: number): string;
  roll(at: number, what: string, sides: number): number;
}

/**
 * Adds copies of some tests to a test file, each before or after its original and with one wrong expected value. The copies
 * must fail: a result that satisfies both was forged for the test. Tests, values and places are drawn at random, because
 * forged sources could satisfy any fixed choice. Only tests that mention one of the `about` names are copied.
 */
export async function withOtherExpectations(
  path: string,
  text: string,
  about: ReadonlySet<string>,
  lot: Lot,
): Promise<OtherExpectations> {
  const language = mutableLanguageOf(path);
  if (language === null || text.length > longestText) return { text, names: [] };
  const all = await (language === 'python' ? pythonExpectations(text) : scriptExpectations(text, language));
  const outer = all.filter((test) => !all.some(({ start, end }) => start < test.start && test.end <= end));
  const mentioning = outer.filter((test) => test.edits.length > 0 && mentions(text, test, about));
  const drawn = mentioning
    .toSorted((a, b) => lot.roll(a.start, 'test', mostSides) - lot.roll(b.start, 'test', mostSides))
    .slice(0, Math.ceil(outer.length * share));
  const names: string[] = [];
  let written = text;
  for (const [turn, test] of drawn.toSorted((a, b) => b.start - a.start).entries()) {
    const { start, end, edits } = test;
    const edit = edits[lot.roll(start, 'value', edits.length)];
    if (!edit) continue;
    const name = lot.nameFor(start);
    const roll = (sides: number) => lot.roll(start, 'other', sides);
    const title = language === 'python' ? `test_${name}` : `'${name}'`;
    const indent = /(?<![ \t])[ \t]*$/.exec(text.slice(0, start))?.[0] ?? '';
    const copy = otherwise(text, test, { ...edit, becomes: becoming(text, edit, roll) }, title);
    written =
      (lot.roll(outer[0]?.start ?? 0, 'place', 2) + turn) % 2 === 0
        ? `${written.slice(0, end)}\n\n${indent}${copy}${written.slice(end)}`
        : `${written.slice(0, start)}${copy}\n\n${indent}${written.slice(start)}`;
    names.push(name);
  }
  return { text: written, names };
}

const mostSides = 2 ** 30;

function becoming(text: string, { start, end, becomes, isRough }: ExpectationEdit, roll: Roll): string {
  return isRough ? becomes : (otherValue(text.slice(start, end), roll) ?? becomes);
}

function mentions(text: string, { start, end }: ExpectingTest, about: ReadonlySet<string>): boolean {
  return (text.slice(start, end).match(/[\p{L}\p{N}_$]+/gu) ?? []).some((word) => about.has(word));
}

const defined =
  /\b(?:(?:function\*?|class|def|const|let|var)\s{1,5}|exports\.)([\p{L}_$][\p{L}\p{N}_$]{0,100})/gu;

export function namesDefinedIn(text: string): string[] {
  return [...text.matchAll(defined)].map(([, name = '']) => name);
}
