import type { Language } from '#code/facts/language.ts';
import { extractFacts } from './extract.ts';
import type { Dialect } from './reading.ts';
import { openParsers, type Parser } from './tree/parser.ts';

/** Raise it whenever the facts of an unchanged file could change. */
const VERSION = 17;

let parsers: readonly Parser[] | null = null;

const DIALECTS: readonly Dialect[] = ['ts', 'tsx', 'dts', 'js'];

/** TypeScript and JavaScript, with and without JSX, and declaration files. */
export const typescriptLanguages: readonly Language[] = DIALECTS.map((id) => ({
  id,
  version: VERSION,
  prepare: async () => {
    parsers ??= await openParsers();
  },
  extract: (text, utf8) => {
    if (parsers === null) throw new Error('call prepare() before extract()');
    return extractFacts(text, id, parsers, utf8);
  },
}));

const declarationPath = /\.d\.[cm]?ts$|\.d\.[^./]+\.ts$/;

/** The language of a file by its name; null for files of other languages. */
export function typescriptLanguageOf(path: string): Dialect | null {
  switch (path.slice(path.lastIndexOf('.'))) {
    case '.ts':
    case '.mts':
    case '.cts':
      return path.includes('.d.') && declarationPath.test(path) ? 'dts' : 'ts';
    case '.tsx':
      return 'tsx';
    case '.js':
    case '.mjs':
    case '.cjs':
    case '.jsx':
      return 'js';
    default:
      return null;
  }
}
