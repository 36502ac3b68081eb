import type { LanguageEntry } from '#code/languages/dialect.ts';
import { treeLanguage } from '#code/languages/tree-sitter/tree-language.ts';
import { go as dialect } from './dialect.ts';

const go = treeLanguage('go', 4, 'go', async () => (await import('./reading.ts')).goReading);

export const goEntry: LanguageEntry = { language: go, dialect, endings: ['.go'] };
