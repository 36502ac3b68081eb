import { readJavaScriptTests } from './javascript-tests.ts';
import { readOtherTests } from './other-tests.ts';
import { readPythonTests } from './python-tests.ts';
import type { TestFile } from './test-case.ts';

/** More than people write by hand. */
const mostText = 300_000;

/** The tests of a file; null for an unsupported language. */
export function readTests(path: string, text: string): TestFile | null {
  if (text.length > mostText)
    return { cases: [], skippedBy: '', unreadable: 'too long to be read test by test' };
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? '';
  if (/^[cm]?[jt]sx?$/.test(extension)) return readJavaScriptTests(path, text);
  return extension === 'py' ? readPythonTests(path, text) : readOtherTests(extension, text);
}
