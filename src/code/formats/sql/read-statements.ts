import type { Step } from '#code/formats/shared/data-facts.ts';
import { lineFinder } from '#code/formats/shared/lines.ts';
import { escapePattern } from '#lib/escape-pattern.ts';
import { type Dialects, openDialects } from './dialect-ast.ts';
import { dialectSteps, type PlainStep } from './dialect-steps.ts';
import { byteOffsets, openSqlParser, type SqlParse, type Statement } from './parse-sql.ts';
import { type SqlText, splitStatements, withoutComments } from './split-statements.ts';
import { type PlacedStep, stepsOf } from './steps.ts';

export type SqlReading =
  | { readonly steps: readonly Step[]; readonly problem: null }
  | { readonly steps: null; readonly problem: { readonly line: number; readonly message: string } };

/** Parses a script with PostgreSQL's parser, else statement by statement as MySQL or SQLite. */
export async function readStatements(text: string): Promise<SqlReading> {
  const parse = await openSqlParser();
  const { statements, problem } = parse(text);
  if (statements) return { steps: stepsIn(statements, text), problem: null };
  const lineOf = lineFinder(text);
  const refused = { line: lineOf(problem.offset), message: problem.message };
  if (!isForeign.test(text)) return { steps: null, problem: refused };
  return readForeign(text, parse, await openDialects(), lineOf);
}

/** Syntax that only the other dialects have. Without it an SQL error stays an error. */
const isForeign =
  /`|\bAUTO_?INCREMENT\b|\bENGINE\s*=|\bPRAGMA\b|\bWITHOUT\s+ROWID\b|\bSTRICT\s*;|\b(?:INSERT|UPDATE)\s+OR\s+|\bINSERT\s+IGNORE\b|\bREPLACE\s+INTO\b|\bUNSIGNED\b|\bMODIFY\s+|\bCHANGE\s+COLUMN\b|\bRENAME\s+TABLE\b|\bLOCK\s+TABLES\b|^[ \t]{0,200}DELIMITER\b|\bENUM\s*\(|\b(?:TINY|MEDIUM|LONG)(?:INT|TEXT|BLOB)\b|\bDATETIME\b|\bAFTER\s+\w+\s*[,;]|\bFIRST\s*[,;]|\bDROP\s+INDEX\s+\S+\s+ON\b|\bSHOW\s|\bFOREIGN_KEY_CHECKS\b|\[\w+\]\s*(?:\(|\w)|^[ \t]{0,200}#/im;

const isSqlite =
  /\bAUTOINCREMENT\b|\bPRAGMA\b|\bWITHOUT\s+ROWID\b|\bSTRICT\s*;|\b(?:INSERT|UPDATE)\s+OR\s+(?:REPLACE|IGNORE|ABORT|FAIL|ROLLBACK)\b|\[\w+\]/i;

/** Statements without effect on tables, and bodies of code, which are not read for PostgreSQL either. */
const isQuiet =
  /^\s*(?:PRAGMA|BEGIN|COMMIT|END|ROLLBACK|START\s+TRANSACTION|SAVEPOINT|RELEASE|SET|USE|LOCK|UNLOCK|ANALYZE|VACUUM|REINDEX|GRANT|REVOKE|FLUSH|OPTIMIZE|SHOW|(?:CREATE|DROP|ALTER)\s+(?:DATABASE|SCHEMA|USER|ROLE)|ALTER\s+TABLE\s+\S+\s+(?:CONVERT\s+TO|DEFAULT\s+CHARACTER|ENGINE|AUTO_INCREMENT|COMMENT)\b(?=[^,]*$)|(?:CREATE|DROP)\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(?:DEFINER\s*=\s*\S+\s+)?(?:TRIGGER|PROCEDURE|FUNCTION|EVENT))\b/i;

/** Rows of a dump: data, and too much for the parsers of the dialects to read in a reasonable time. */
function isBulk(text: string): boolean {
  return text.length > longestStatement && /^\s*(?:INSERT|REPLACE)\b/i.test(text);
}

const longestStatement = 50_000;

function readForeign(
  text: string,
  parse: (text: string) => SqlParse,
  dialects: Dialects,
  lineOf: (offset: number) => number,
): SqlReading {
  const steps: Step[] = [];
  const sqlite = isSqlite.test(text);
  for (const statement of splitStatements(text)) {
    const plain = withoutComments(statement.text);
    if (isQuiet.test(plain) || isBulk(plain)) continue;
    const ways = sqlite
      ? [postgres(parse), library(dialects.sqlite, false)]
      : [library(dialects.mysql, true), withoutTexts(postgres(parse)), library(dialects.sqlite, false)];
    const found = firstOf(ways, statement);
    if ('message' in found) {
      const lead = /\S/.exec(plain)?.index ?? 0;
      return { steps: null, problem: { line: lineOf(statement.start + lead), message: found.message } };
    }
    const first = lineOf(statement.start) - 1;
    steps.push(...found.steps.map((step) => moved(step, first)));
  }
  return { steps, problem: null };
}

type Way = (text: string) => Step[] | string;

function firstOf(ways: readonly Way[], { text }: SqlText): { steps: Step[] } | { message: string } {
  const refusals: string[] = [];
  for (const way of ways) {
    const found = way(text);
    if (typeof found !== 'string') return { steps: found };
    refusals.push(found);
  }
  return { message: refusals[0] ?? 'not read' };
}

/** PostgreSQL's parser; backquotes around names become double quotes. */
function postgres(parse: (text: string) => SqlParse): Way {
  return (text) => {
    const own = withOwnMarks(text.replace(/`([^`"\n]*)`/g, '"$1"'));
    const { statements, problem } = parse(own);
    return statements ? stepsIn(statements, own) : problem.message;
  };
}

/** In MySQL `"…"` is a string; PostgreSQL would read it as a name. */
function withoutTexts(way: Way): Way {
  return (text) => (text.includes('"') ? 'marks that mean something else elsewhere' : way(text));
}

/** Replaces SQLite's `[name]` and `?1`, which not every parser accepts; offsets stay. */
function withOwnMarks(text: string): string {
  return text.replace(/\[(\w+)\]/g, '"$1"').replace(/\?(\d+)/g, (mark) => '?'.padEnd(mark.length));
}

function library(parse: Dialects['mysql'], indexesPerTable: boolean): Way {
  return (text) => {
    if (text.length > longestStatement) return 'a statement that is too long to be read';
    try {
      const place = placeIn(text);
      return parse(indexesPerTable ? text : withOwnMarks(text)).flatMap((node) =>
        dialectSteps(node, { indexesPerTable }).map(place),
      );
    } catch (error) {
      const found = /but (.{1,200}) found/.exec((error as Error).message)?.[1];
      return found === undefined ? 'a statement that is not known' : `syntax error at ${found}`;
    }
  };
}

/** Finds lines and normalises names: unquoted ones become lower case, as in PostgreSQL. */
function placeIn(text: string): (step: PlainStep) => Step {
  const lineOf = lineFinder(text);
  const bare = withoutComments(text);
  const at = (name: string, from: number) => {
    const found = bare.slice(from).search(new RegExp(`(?<![\\w$])${escapePattern(name)}(?![\\w$])`));
    return found === -1 ? Math.max(0, bare.search(/\S/)) : from + found;
  };
  const spelled = (name: string) => {
    const mark = bare[at(name.split('.').at(-1) ?? name, 0) - 1];
    return mark === '`' || mark === '"' || mark === '[' ? name : name.toLowerCase();
  };
  return ({ columns, refers, ...step }) => {
    const start = at(step.table.split('.').at(-1) ?? '', 0);
    const lines = columns?.map(({ name }) => lineOf(at(name, start)));
    return {
      ...step,
      table: spelled(step.table),
      ...(step.name === undefined ? {} : { name: spelled(step.name) }),
      ...(step.to === undefined ? {} : { to: spelled(step.to) }),
      line: lineOf(step.name === undefined ? start : at(step.name.split('.').at(-1) ?? '', 0)),
      ...(refers
        ? { refers: refers.map(({ column, table }) => ({ column: spelled(column), table: spelled(table) })) }
        : {}),
      ...(columns
        ? {
            columns: columns.map((field, index) => ({
              ...field,
              name: spelled(field.name),
              line: lines?.[index] ?? 1,
            })),
          }
        : {}),
    };
  };
}

function moved(step: Step, lines: number): Step {
  return {
    ...step,
    line: step.line + lines,
    ...(step.columns
      ? { columns: step.columns.map((field) => ({ ...field, line: field.line + lines })) }
      : {}),
  };
}

function stepsIn(statements: readonly Statement[], text: string): Step[] {
  const units = byteOffsets(text);
  const lineOf = lineFinder(text);
  return statements.flatMap((statement) =>
    stepsOf(statement).map((step) => placed(step, statement, units, lineOf, text)),
  );
}

function placed(
  { offset, columns, ...step }: PlacedStep,
  { start }: Statement,
  units: (bytes: number) => number,
  lineOf: (offset: number) => number,
  text: string,
): Step {
  const at = (bytes: number) =>
    lineOf(bytes < 0 ? start + (/\S/.exec(text.slice(start))?.index ?? 0) : units(bytes));
  return {
    ...step,
    line: at(offset),
    ...(columns
      ? { columns: columns.map(({ offset: column, ...field }) => ({ ...field, line: at(column) })) }
      : {}),
  };
}
