import { expect, it } from 'vitest';
import { isPythonPath, isPythonStubPath } from './index.ts';

it('sources and stubs are told apart by their extension', () => {
  const paths = ['a/b.py', 'gui.pyw', 'a.pyi', 'a.pyc', 'py'];
  expect(paths.map(isPythonPath)).toEqual([true, true, false, false, false]);
  expect(paths.map(isPythonStubPath)).toEqual([false, false, true, false, false]);
});
