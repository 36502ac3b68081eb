import type { Language } from '#code/facts/language.ts';

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
  let extract: Language['extract'] | undefined;
  return {
    id,
    version: 16,
    // Most checks parse no Python: they are spared thirty modules.
    async prepare() {
      const [{ loadParser }, { extractPython }] = await Promise.all([
        import('./parser.ts'),
        import('./extract.ts'),
      ]);
      const parser = await loadParser();
      extract = (text) => extractPython(parser, text, ambient);
    },
    extract(text) {
      if (extract === undefined)
        throw new Error(`prepare() of the language ${id} must come before extract()`);
      return extract(text);
    },
  };
}
