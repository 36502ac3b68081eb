import type { Language } from '../../language.ts';
import { extractPython } from './extract.ts';
import { loadParser, type PythonParser } from './parser.ts';

/** Sources: `.py`. */
export const python: Language = pythonDialect('python', false);

/** Stubs: `.pyi` says what exists elsewhere. */
export const pythonStub: Language = pythonDialect('pyi', true);

export function isPythonPath(path: string): boolean {
  return /\.pyw?$/.test(path);
}

export function isPythonStubPath(path: string): boolean {
  return path.endsWith('.pyi');
}

function pythonDialect(id: string, ambient: boolean): Language {
  let parser: PythonParser | undefined;
  return {
    id,
    version: 12,
    async prepare() {
      parser = await loadParser();
    },
    extract(text) {
      if (parser === undefined) throw new Error(`prepare() of the language ${id} must come before extract()`);
      return extractPython(parser, text, ambient);
    },
  };
}
