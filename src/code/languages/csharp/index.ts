import type { LanguageEntry } from '#code/languages/dialect.ts';
import { treeLanguage } from '#code/languages/tree-sitter/tree-language.ts';
import { csharp as dialect } from './dialect.ts';
import { withoutEmptyCollections } from './empty-collections.ts';

const csharp = treeLanguage(
  'csharp',
  5,
  'c-sharp',
  async () => (await import('./reading.ts')).csharpReading,
  {
    words: new Set(['this']),
    adapt: withoutEmptyCollections,
  },
);

export const csharpEntry: LanguageEntry = { language: csharp, dialect, endings: ['.cs'] };
