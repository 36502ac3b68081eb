import type { DuplicateKey, Facts, SyntaxProblem } from '#code/facts/facts.ts';
import type { Language } from '#code/facts/language.ts';
import { data } from '#code/languages/data/dialect.ts';
import type { LanguageEntry } from '#code/languages/dialect.ts';
import { dataFacts } from '#code/languages/shared/data-facts.ts';
import { inReadingOrder, KeyOccurrences } from '#code/languages/shared/key-occurrences.ts';

/** `.env` files: one `KEY=value` per line; `export` in front and quoted values over several lines are allowed. */
export const dotenv: Language = {
  id: 'dotenv',
  version: 2,
  prepare: async () => {},
  extract: extractDotenv,
};

const otherFormats = /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|py|sh|md|gpg|enc|age|zip)$/i;

export function isDotenvPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name === '.env' || (name.startsWith('.env.') && !otherFormats.test(name));
}

export const dotenvEntry: LanguageEntry = {
  language: dotenv,
  dialect: data,
  endings: [],
  reads: isDotenvPath,
};

const assignment = /^\s*(?:export\s+)?([\w.-]+)\s*(?:[=:]\s*(.*))?$/s;

function extractDotenv(text: string): Facts {
  const keys = new KeyOccurrences();
  let problem: SyntaxProblem | null = null;
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, key, value = ''] = assignment.exec(line) ?? [];
    if (key === undefined) {
      problem ??= { line: at + 1, column: 1, message: 'expected KEY=value' };
      continue;
    }
    keys.add(key, at + 1);
    at = endOfValue(lines, at, value);
  }
  const found: DuplicateKey[] = [];
  keys.addDuplicates(found, []);
  return dataFacts(inReadingOrder(found), problem);
}

/** The line on which a value ends. An unclosed quote is an ordinary character of a one-line value. */
function endOfValue(lines: readonly string[], at: number, value: string): number {
  const quote = value[0];
  if (quote !== '"' && quote !== "'" && quote !== '`') return at;
  if (closes(value.slice(1), quote)) return at;
  for (let next = at + 1; next < lines.length; next++) {
    if (closes(lines[next] ?? '', quote)) return next;
  }
  return at;
}

function closes(text: string, quote: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] === quote) return true;
  }
  return false;
}
