import { readTests } from '#tests/code/read-tests.ts';
import { isTestFile } from '#tests/code/test-path.ts';

export interface ChangedText {
  readonly path: string;
  /** Null if the file does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

/** A test that is new or has a new text. */
export interface ChangedCase {
  readonly path: string;
  /** `sums > are rounded`. */
  readonly id: string;
}

/** Tests that a change adds or rewrites, without those that were only moved. */
export function changedCases(texts: readonly ChangedText[], isTest = isTestFile): ChangedCase[] {
  const files = texts.filter(({ path }) => isTest(path));
  const old = new Set(
    files
      .flatMap(({ path, before }) => (before === null ? [] : casesOf(path, before)))
      .map(({ source }) => source),
  );
  return files.flatMap(({ path, after }) =>
    (after === null ? [] : casesOf(path, after)).flatMap(({ id, source }) =>
      old.has(source) ? [] : [{ path, id }],
    ),
  );
}

function casesOf(path: string, text: string) {
  return (readTests(path, text)?.cases ?? []).filter(({ id, runs }) => id !== '' && runs !== 'never');
}
