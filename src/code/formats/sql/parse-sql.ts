import type { ParseResult } from 'libpg-query';

export interface Statement {
  readonly kind: string;
  readonly node: SqlNode;
  /** Offset of the statement, including the space before it. */
  readonly start: number;
}

/** A node of the parser: its properties depend on its kind. */
export type SqlNode = Readonly<Record<string, unknown>>;

export type SqlParse =
  | { readonly statements: readonly Statement[]; readonly problem: null }
  | { readonly statements: null; readonly problem: { readonly offset: number; readonly message: string } };

let loading: Promise<(text: string) => ParseResult> | undefined;

/** PostgreSQL's own parser, loaded at the first SQL. */
export function openSqlParser(): Promise<(text: string) => SqlParse> {
  loading ??= load();
  return loading.then((parse) => (text: string) => parseWith(parse, text));
}

async function load(): Promise<(text: string) => ParseResult> {
  const { loadModule, parseSync } = await import('libpg-query');
  await loadModule();
  return parseSync;
}

function parseWith(parse: (text: string) => ParseResult, text: string): SqlParse {
  if (text.trim() === '') return { statements: [], problem: null };
  try {
    const { stmts = [] } = parse(text);
    const toUnits = byteOffsets(text);
    const statements = stmts.flatMap(({ stmt, stmt_location = 0 }): Statement[] =>
      Object.entries(stmt ?? {}).map(([kind, node]) => ({
        kind,
        node: node as SqlNode,
        start: toUnits(stmt_location),
      })),
    );
    return { statements, problem: null };
  } catch (error) {
    const at = (error as { sqlDetails?: { cursorPosition?: number } }).sqlDetails?.cursorPosition ?? 0;
    return { statements: null, problem: { offset: Math.max(0, at), message: (error as Error).message } };
  }
}

/** PostgreSQL counts bytes, JavaScript UTF-16 units. */
export function byteOffsets(text: string): (bytes: number) => number {
  const bytes = Buffer.from(text);
  if (bytes.length === text.length) return (offset) => offset;
  return (offset) => bytes.subarray(0, offset).toString('utf8').length;
}
