import type { Language } from '#code/facts/language.ts';
import type { GrammarOptions } from './grammar.ts';
import type { Reading } from './reading.ts';

/** A language with a tree-sitter grammar, which is loaded at its first file. */
export function treeLanguage(
  id: string,
  version: number,
  grammar: string,
  loadReading: () => Promise<Reading>,
  options: GrammarOptions = {},
): Language {
  let extract: Language['extract'] | undefined;
  return {
    id,
    version,
    async prepare() {
      const [{ loadGrammar }, { readFacts }, reading] = await Promise.all([
        import('./grammar.ts'),
        import('./read-facts.ts'),
        loadReading(),
      ]);
      const parser = await loadGrammar(grammar, options);
      extract = (text) => readFacts(parser, reading, text);
    },
    extract(text) {
      if (extract === undefined)
        throw new Error(`prepare() of the language ${id} must come before extract()`);
      return extract(text);
    },
  };
}
