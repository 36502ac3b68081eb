import type { DataFacts, FieldUse } from '#code/formats/shared/data-facts.ts';
import { lineFinder } from '#code/formats/shared/lines.ts';
import { readSqlString } from './index.ts';

/** A quote and the beginning of a query: `"SELECT id`, `@"select id`, a text block of Java. */
const opening = /("""|["'`])\s*(?=(?:select|insert into|update|delete from|with)\b)/gi;
/** `<<~SQL` of Ruby, `<<<'SQL'` of PHP. */
const heredoc = /<<[<~-]?["']?([A-Z_]{2,20})["']?[^\n]{0,40}\n/g;

/** Columns that SQL in strings of Go, Rust, Java, Ruby, C# and PHP names. Their strings are found by their first word, without a parser. */
export async function readSqlInCode(_path: string, text: string): Promise<DataFacts | null> {
  if (!/\b(?:select|insert|update|delete)\b/i.test(text)) return null;
  const lineOf = lineFinder(text);
  const uses: FieldUse[] = [];
  for (const { sql, offset } of [...quotedQueries(text), ...heredocs(text)])
    uses.push(...(await readSqlString(withoutInsertions(sql), lineOf(offset))));
  return uses.length === 0 ? null : { uses };
}

interface Query {
  readonly sql: string;
  readonly offset: number;
}

function quotedQueries(text: string): Query[] {
  const found: Query[] = [];
  let read = 0;
  for (const { 1: quote = '', 0: opened, index } of text.matchAll(opening)) {
    if (index < read) continue;
    const start = index + opened.length;
    let end = endOf(text, quote, start);
    let sql = text.slice(start, end);
    // "SELECT id " + "FROM users"
    for (let next = nextPart(text, quote, end); next >= 0; next = nextPart(text, quote, end)) {
      const from = end;
      end = endOf(text, quote, next);
      // Line ends between the parts keep the lines of what follows.
      sql += `${text.slice(from, next).replace(/[^\n]/g, '')} ${text.slice(next, end)}`;
    }
    read = end;
    found.push({ sql, offset: start });
  }
  return found;
}

/** Where a string ends; escaped quotes belong to it. */
function endOf(text: string, quote: string, start: number): number {
  let at = text.indexOf(quote, start);
  while (at > 0 && text[at - 1] === '\\') at = text.indexOf(quote, at + 1);
  return at < 0 || at - start > longest ? start : at;
}

/** Where the string continues after `+` or `.`; -1 if it does not. */
function nextPart(text: string, quote: string, end: number): number {
  const [joined] = /^\s{0,200}[+.]\s{0,200}["'`]/.exec(text.slice(end + quote.length, end + 420)) ?? [];
  return joined?.endsWith(quote) ? end + quote.length + joined.length : -1;
}

/** A longer query is no query: its end was not found. */
const longest = 20_000;

function heredocs(text: string): Query[] {
  return [...text.matchAll(heredoc)].flatMap(({ 0: opened, 1: word = '', index }) => {
    const offset = index + opened.length;
    const body = text.slice(offset, offset + longest);
    const end = body.split('\n').findIndex((row) => row.trim().split(/[;,)]/)[0] === word);
    return end < 0 ? [] : [{ sql: body.split('\n').slice(0, end).join('\n'), offset }];
  });
}

/** `#{id}`, `{$id}`, `$id`, `{id}` become a placeholder; escapes become blanks. */
function withoutInsertions(sql: string): string {
  return sql
    .replace(/\\[nrt]/g, ' ')
    .replace(/#?\{[^{}\n]{0,200}\}/g, '$1')
    .replace(/\$[A-Za-z_]\w*(?:->\w+)?/g, '$1');
}
