import type { LanguageEntry } from '#code/languages/dialect.ts';
import { treeLanguage } from '#code/languages/tree-sitter/tree-language.ts';
import { php as dialect } from './dialect.ts';

const php = treeLanguage('php', 3, 'php', async () => (await import('./reading.ts')).phpReading, {
  leaves: new Set(['variable_name']),
});

export const phpEntry: LanguageEntry = { language: php, dialect, endings: ['.php'] };
