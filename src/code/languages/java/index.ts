import type { LanguageEntry } from '#code/languages/dialect.ts';
import { treeLanguage } from '#code/languages/tree-sitter/tree-language.ts';
import { java as dialect } from './dialect.ts';

const java = treeLanguage('java', 4, 'java', async () => (await import('./reading.ts')).javaReading);

export const javaEntry: LanguageEntry = { language: java, dialect, endings: ['.java'] };
