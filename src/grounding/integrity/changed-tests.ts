import type { FileChange } from '#grounding/change/change.ts';
import { readTests } from '#tests/code/read-tests.ts';
import type { TestFile } from '#tests/code/test-case.ts';

const known = {
  before: new WeakMap<FileChange, TestFile | null>(),
  after: new WeakMap<FileChange, TestFile | null>(),
};

/** The tests on one side of a changed file, read once for all checks; null if there are none to read. */
export function testsIn(file: FileChange, side: 'before' | 'after'): TestFile | null {
  const text = file[side];
  if (text === null) return null;
  const found = known[side].get(file);
  if (found !== undefined) return found;
  const read = readTests(side === 'before' ? file.oldPath : file.path, text);
  known[side].set(file, read);
  return read;
}
