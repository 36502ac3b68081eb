import type { Language } from '#code/facts/language.ts';
import type { LanguageEntry } from '#code/languages/dialect.ts';
import { javascript, typescript } from './dialect.ts';
import { extractFacts } from './extract.ts';
import type { Variant } from './reading.ts';
import { openParsers, type Parser } from './tree/parser.ts';

/** Raise it whenever the facts of an unchanged file could change. */
const version = 33;

let parsers: readonly Parser[] | null = null;

const variants: readonly Variant[] = ['ts', 'tsx', 'dts', 'js'];

/** TypeScript and JavaScript, with and without JSX, and declaration files. */
export const typescriptLanguages: readonly Language[] = variants.map((id) => ({
  id,
  version: version,
  prepare: async () => {
    parsers ??= await openParsers();
  },
  extract: (text, utf8) => {
    if (parsers === null) throw new Error('call prepare() before extract()');
    return extractFacts(text, id, parsers, utf8);
  },
}));

const declarationPath = /\.d\.[cm]?ts$|\.d\.[^./]+\.ts$/;

const [ts, tsx, dts, js] = typescriptLanguages as [Language, Language, Language, Language];

export const typescriptEntries: readonly LanguageEntry[] = [
  {
    language: dts,
    dialect: typescript,
    endings: ['.ts', '.mts', '.cts'],
    reads: (path) => path.includes('.d.') && declarationPath.test(path),
  },
  { language: ts, dialect: typescript, endings: ['.ts', '.mts', '.cts'] },
  { language: tsx, dialect: typescript, endings: ['.tsx'] },
  { language: js, dialect: javascript, endings: ['.js', '.mjs', '.cjs', '.jsx'] },
];

/** The variant of a file; null for files of other languages. */
export function typescriptLanguageOf(path: string): Variant | null {
  const ending = path.slice(path.lastIndexOf('.'));
  const entry = typescriptEntries.find(
    ({ endings, reads }) => endings.includes(ending) && (reads?.(path) ?? true),
  );
  return (entry?.language.id as Variant | undefined) ?? null;
}
