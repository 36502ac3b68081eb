import { type ExpectingTest, otherwise } from './expectation.ts';
import { mutableLanguageOf } from './mutants-of.ts';
import { pythonExpectations } from './python-expectations.ts';
import { scriptExpectations } from './script-expectations.ts';

/** Of the tests of a file, so many are asked. */
const share = 1 / 3;
const longestText = 300_000;

export interface OtherExpectations {
  readonly text: string;
  /** Titles of the tests that were added. */
  readonly names: readonly string[];
}

/**
 * A test file with some of its tests once more, each behind the original and with one expected value that is another one. They
 * must fail: a result that fits both was made up for whoever asks. Tests that mention one of the `about` names are chosen.
 */
export async function withOtherExpectations(
  path: string,
  text: string,
  about: ReadonlySet<string>,
  nameFor: (at: number) => string,
): Promise<OtherExpectations> {
  const language = mutableLanguageOf(path);
  if (language === null || text.length > longestText) return { text, names: [] };
  const all = await (language === 'python' ? pythonExpectations(text) : scriptExpectations(text, language));
  const outer = all.filter((test) => !all.some(({ start, end }) => start < test.start && test.end <= end));
  const mentioning = outer.filter((test) => test.edits.length > 0 && mentions(text, test, about));
  const chosen = mentioning.slice(0, Math.ceil(outer.length * share));
  const names: string[] = [];
  let written = text;
  for (const test of [...chosen].reverse()) {
    const [edit] = test.edits;
    if (!edit) continue;
    const name = nameFor(test.start);
    const title = language === 'python' ? `test_${name}` : `'${name}'`;
    const indent = /(?<![ \t])[ \t]*$/.exec(text.slice(0, test.start))?.[0] ?? '';
    const copy = `\n\n${indent}${otherwise(text, test, edit, title)}`;
    written = written.slice(0, test.end) + copy + written.slice(test.end);
    names.push(name);
  }
  return { text: written, names };
}

function mentions(text: string, { start, end }: ExpectingTest, about: ReadonlySet<string>): boolean {
  return (text.slice(start, end).match(/[\p{L}\p{N}_$]+/gu) ?? []).some((word) => about.has(word));
}

const defined =
  /\b(?:(?:function\*?|class|def|const|let|var)\s{1,5}|exports\.)([\p{L}_$][\p{L}\p{N}_$]{0,100})/gu;

/** Names that a text defines. */
export function namesDefinedIn(text: string): string[] {
  return [...text.matchAll(defined)].map(([, name = '']) => name);
}
