import type { Language } from '#code/facts/language.ts';
import type { LanguageEntry } from '#code/languages/dialect.ts';
import { python as dialect } from './dialect.ts';

/** Sources: `.py`. */
export const python: Language = pythonLanguage('python', false);

/** Stubs: `.pyi` describes what exists elsewhere. */
export const pythonStub: Language = pythonLanguage('pyi', true);

export const pythonEntries: readonly LanguageEntry[] = [
  { language: python, dialect, endings: ['.py'] },
  { language: pythonStub, dialect, endings: ['.pyi'] },
];

function pythonLanguage(id: string, ambient: boolean): Language {
  let extract: Language['extract'] | undefined;
  return {
    id,
    version: 30,
    // Most checks parse no Python: they need not load thirty modules.
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
