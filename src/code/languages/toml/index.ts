import type { Facts, SyntaxProblem } from '#code/facts/facts.ts';
import type { Language } from '#code/facts/language.ts';
import { data } from '#code/languages/data/dialect.ts';
import type { LanguageEntry } from '#code/languages/dialect.ts';
import { dataFacts } from '#code/languages/shared/data-facts.ts';
import { type Definition, findDefinitions } from './definitions.ts';
import { duplicateDefinitions } from './duplicates.ts';

type SmolToml = typeof import('smol-toml');

let smolToml: SmolToml | undefined;

export const toml: Language = {
  id: 'toml',
  version: 2,
  async prepare() {
    smolToml ??= await import('smol-toml');
  },
  extract(text) {
    if (smolToml === undefined) throw new Error('prepare() of the language toml must come before extract()');
    return extractToml(smolToml, text);
  },
  values: (text) => (smolToml === undefined ? null : tomlValues(smolToml, text)),
};

function tomlValues({ parse }: SmolToml, text: string): unknown[] | null {
  try {
    return text.length > maxLength ? null : [parse(text)];
  } catch {
    return null;
  }
}

const tomlNames = /(?:\.toml|(?:^|\/)Pipfile)$/;

export function isTomlPath(path: string): boolean {
  return tomlNames.test(path);
}

export const tomlEntry: LanguageEntry = { language: toml, dialect: data, endings: [], reads: isTomlPath };

/** Beyond this the parser could run out of memory, which cannot be caught. */
const maxLength = 16 * 1024 * 1024;

/**
 * The parser stops at the first duplicate key and calls it an error. So Joinery scans for the keys, renames duplicates, and lets the parser
 * judge the rest.
 */
function extractToml(parser: SmolToml, text: string): Facts {
  if (text.length > maxLength) return dataFacts([], { line: 1, column: 1, message: 'too large to parse' });
  const { duplicates, repeated } = duplicateDefinitions(findDefinitions(text));
  return dataFacts(duplicates, problemOf(parser, withoutRepeats(text, repeated)));
}

function withoutRepeats(text: string, repeated: readonly Definition[]): string {
  let result = text;
  repeated
    .toSorted((a, b) => b.start - a.start)
    .forEach(({ start, end }, index) => {
      result = `${result.slice(0, start)}repeated-${index}${result.slice(end)}`;
    });
  return result;
}

function problemOf({ parse, TomlError }: SmolToml, text: string): SyntaxProblem | null {
  try {
    parse(text);
    return null;
  } catch (error) {
    if (!(error instanceof TomlError)) return { line: 1, column: 1, message: String(error) };
    const message = error.message.split('\n', 1)[0] ?? error.message;
    return {
      line: error.line,
      column: error.column,
      message: message.replace(/^Invalid TOML document: /, ''),
    };
  }
}
