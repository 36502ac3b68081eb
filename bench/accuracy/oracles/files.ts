import { parseSync } from 'oxc-parser';
import { parseDocument } from 'yaml';

/** The files of a tree: their paths, and the text of the one both sides edit. */
export interface Tree {
  readonly paths: readonly string[];
  readonly text: string;
}

/** Whether a data file contains a key twice. */
export function hasDuplicateKeys({ text }: Tree): boolean {
  return parseDocument(text, { uniqueKeys: true }).errors.some(({ code }) => code === 'DUPLICATE_KEY');
}

/** Whether two paths differ only in letter case. */
export function hasCollidingPaths({ paths }: Tree): boolean {
  return new Set(paths.map((path) => path.toLowerCase())).size < paths.length;
}

export function doesNotParse({ text }: Tree): boolean {
  return parseSync('merged.ts', text).errors.length > 0;
}
