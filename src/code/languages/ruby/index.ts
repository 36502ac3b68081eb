import type { LanguageEntry } from '#code/languages/dialect.ts';
import { treeLanguage } from '#code/languages/tree-sitter/tree-language.ts';
import { ruby as dialect } from './dialect.ts';

const ruby = treeLanguage('ruby', 1, 'ruby', async () => (await import('./reading.ts')).rubyReading);

export const rubyEntry: LanguageEntry = { language: ruby, dialect, endings: ['.rb'] };
