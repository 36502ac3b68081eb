import { expect, test } from 'vitest';
import { mentionsPath } from './mentions-path.ts';

test.each([
  ['change conftest.py.', true],
  ['Test-Change: conftest.py: rounded now', true],
  ['`./conftest.py`, and more', true],
  ['see tests/conftest.py, then (conftest.py)', true],
  ['see tests/conftest.py', false],
  ['my-conftest.py', false],
  ['conftest.pyc', false],
  ['conftest.py/x', false],
  ['../conftest.py', false],
  ['conftest.py.orig', false],
])('%j names conftest.py: %s', (text, isNamed) => {
  expect(mentionsPath(text, 'conftest.py')).toBe(isNamed);
});
