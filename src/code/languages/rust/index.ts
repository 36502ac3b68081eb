import type { LanguageEntry } from '#code/languages/dialect.ts';
import { treeLanguage } from '#code/languages/tree-sitter/tree-language.ts';
import { rust as dialect } from './dialect.ts';

const rust = treeLanguage('rust', 16, 'rust', async () => (await import('./reading.ts')).rustReading);

export const rustEntry: LanguageEntry = { language: rust, dialect, endings: ['.rs'] };
