import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The SQL of one tree: its migrations in the order of their names, and its queries. */
export function mergedSql(tree: string): { migrations: string[]; queries: string[] } {
  const files = readdirSync(tree, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .toSorted();
  const texts = (paths: readonly string[]) => paths.map((path) => readFileSync(join(tree, path), 'utf8'));
  return {
    migrations: texts(files.filter((path) => path.includes('migrations/'))),
    queries: texts(files.filter((path) => !path.includes('migrations/'))),
  };
}
