import { directoryOf } from '#code/resolve/repository-path.ts';

/** Tools run the files of a folder in the order of their names. */
export function runsAfter(file: string, other: string): boolean {
  const folder = (path: string) => directoryOf(/\/migration\.sql$/.test(path) ? directoryOf(path) : path);
  if (folder(file) !== folder(other) || !/(?:^|\/)V?\d/.test(nameOf(file))) return false;
  const [a, b] = [numberOf(file), numberOf(other)];
  return a !== null && b !== null && a > b;
}

function nameOf(path: string): string {
  return path.endsWith('/migration.sql') ? (path.split('/').at(-2) ?? '') : (path.split('/').at(-1) ?? '');
}

function numberOf(path: string): number | null {
  const [, digits] = /^V?(\d+)/.exec(nameOf(path)) ?? [];
  return digits === undefined ? null : Number(digits);
}
