import type { Change, FileChange } from '#grounding/change/change.ts';
import { isSource } from '#tests/code/source-path.ts';
import { isTestFor } from '#tests/code/tests-for.ts';

export interface Answers {
  readonly file: string;
  /** Line of the first literal that a test has too. */
  readonly line: number;
  readonly test: string;
  /** Lines of the test whose input and expected output are both in the source. */
  readonly asked: readonly number[];
}

/** A longer line is data. */
const longestLine = 500;
/** A single match may be chance: an error message and the value that causes it. */
const fewest = 2;

/**
 * Sources that contain both an input and the expected output of a test of base: they may know the answers instead of
 * computing them. No test run can detect that. Tables that a task asks for look the same, so people should look at it.
 */
export function answersOfTests({ files, baseTests, policy }: Change): Answers[] {
  return files
    .filter(({ path }) => isSource(path))
    .flatMap((file) => {
      const held = newLiterals(file);
      if (held.size < 2) return [];
      return [...(baseTests ?? [])].flatMap(([test, text]): Answers[] => {
        if (!isTestFor(test, file.path, policy)) return [];
        const hits = text.split('\n').flatMap((line, at) => {
          const found =
            line.length > longestLine || !line.includes('(')
              ? []
              : literalsIn(line).filter((each) => held.has(each));
          return new Set(found).size < 2 ? [] : [{ asked: at + 1, found }];
        });
        if (hits.length < fewest) return [];
        const line = Math.min(...hits.flatMap(({ found }) => found.map((each) => held.get(each) ?? 1)));
        return [{ file: file.path, line, test, asked: hits.map(({ asked }) => asked) }];
      });
    });
}

/** New strings and larger numbers → the line of the first occurrence. */
function newLiterals({ before, lines }: FileChange): Map<string, number> {
  const known = new Set((before ?? '').split('\n').flatMap(literalsIn));
  const held = new Map<string, number>();
  for (const { text, line } of lines.added) {
    if (text.length > longestLine) continue;
    for (const literal of literalsIn(text))
      if (!known.has(literal) && !held.has(literal)) held.set(literal, line);
  }
  return held;
}

/** Quoted strings, and numbers with three or more digits. */
function literalsIn(line: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < line.length) {
    const char = line.charAt(at);
    if (!/["'`]/.test(char)) {
      const [number] = /^\d{1,40}/.exec(line.slice(at, at + 40)) ?? [];
      if (number && number.length >= 3) found.push(number);
      at += number?.length ?? 1;
      continue;
    }
    let end = at + 1;
    while (end < line.length && line.charAt(end) !== char) end += line.charAt(end) === '\\' ? 2 : 1;
    const text = line.slice(at + 1, end);
    if (text.length >= 2 && end < line.length) found.push(text);
    at = end + 1;
  }
  return found;
}
