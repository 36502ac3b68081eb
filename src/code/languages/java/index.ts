import type { LanguageEntry } from '#code/languages/dialect.ts';
import { treeLanguage } from '#code/languages/tree-sitter/tree-language.ts';
import { java as dialect } from './dialect.ts';
import { withoutQualifiedPatterns } from './qualified-patterns.ts';

const java = treeLanguage('java', 6, 'java', async () => (await import('./reading.ts')).javaReading, {
  adapt: withoutQualifiedPatterns,
});

export const javaEntry: LanguageEntry = { language: java, dialect, endings: ['.java'] };
