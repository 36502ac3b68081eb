import type { DataFacts } from './shared/data-facts.ts';

type Reader = (path: string, text: string) => Promise<DataFacts | null>;

/**
 * All formats that describe shared data. A parser is loaded at the first file of its format, so that other repositories do not pay for it.
 */
const formats: readonly { readonly files: RegExp; readonly onlyUses?: true; open(): Promise<Reader> }[] = [
  { files: /\.sql$/i, open: async () => (await import('./sql/index.ts')).readSql },
  { files: /\.(?:[cm]?[jt]s|[jt]sx)$/, open: async () => (await import('./javascript/index.ts')).readScript },
  { files: /\.(?:graphqls?|gql)$/, open: async () => (await import('./graphql/index.ts')).readGraphql },
  { files: /\.proto$/, open: async () => (await import('./protobuf/index.ts')).readProtobuf },
  { files: /\.prisma$/, open: async () => (await import('./prisma/index.ts')).readPrisma },
  {
    files: /(?<!package|package-lock|tsconfig)\.(?:json|ya?ml)$/,
    open: async () => (await import('./openapi/index.ts')).readOpenapi,
  },
  { files: /\.py$/, open: async () => (await import('./python/index.ts')).readPython },
  {
    files: /\.(?:go|rs|java|rb|cs|php)$/,
    onlyUses: true,
    open: async () => (await import('./sql/sql-in-code.ts')).readSqlInCode,
  },
];

/** Longer files are data or generated. */
const mostCharacters = 1_000_000;

/** Whether a file of this name can describe shared data. */
export function mayHoldData(path: string): boolean {
  return formats.some(({ files }) => files.test(path));
}

/** Whether a file of this name can define models, types or routes, not only use them. */
export function mayDefineData(path: string): boolean {
  return formats.some(({ files, onlyUses }) => !onlyUses && files.test(path));
}

/** Files that no language reads: only their format can find errors in them. */
export function isDataFormat(path: string): boolean {
  return /\.(?:sql|graphqls?|gql|proto|prisma)$/i.test(path) && mayHoldData(path);
}

/** The shared data that a file describes; null when there is none. */
export async function readData(path: string, text: string): Promise<DataFacts | null> {
  const format = formats.find(({ files }) => files.test(path));
  if (!format || text === '') return null;
  if (text.length > mostCharacters)
    return isDataFormat(path)
      ? { problem: { line: 1, message: 'longer than a million characters', isHarmless: true } }
      : null;
  const read = await format.open();
  return read(path, text);
}
