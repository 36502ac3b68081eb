import type { SqlNode } from './parse-sql.ts';

/** Parses one statement of a dialect; throws when it cannot. */
type DialectParse = (text: string) => readonly SqlNode[];

export interface Dialects {
  readonly mysql: DialectParse;
  readonly sqlite: DialectParse;
}

let loading: Promise<Dialects> | undefined;

/** Loaded at the first SQL that PostgreSQL's parser refuses. */
export function openDialects(): Promise<Dialects> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Dialects> {
  const [mysql, sqlite] = await Promise.all([
    import('node-sql-parser/build/mysql.js'),
    import('node-sql-parser/build/sqlite.js'),
  ]);
  return { mysql: parserOf(mysql, 'MySQL'), sqlite: parserOf(sqlite, 'Sqlite') };
}

function parserOf({ default: module }: { default: ParserModule }, database: string): DialectParse {
  const parser = new module.Parser();
  return (text) => {
    const found = parser.astify(text, { database });
    return (Array.isArray(found) ? found : [found]) as readonly SqlNode[];
  };
}

interface ParserModule {
  readonly Parser: new () => { astify(text: string, options: { database: string }): unknown };
}
