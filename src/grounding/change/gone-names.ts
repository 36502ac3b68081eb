import { dialectOf } from '#code/languages/index.ts';
import type { FileChange } from './change.ts';

/**
 * Names a module had and no longer has, according to its changed lines; null if only its facts can tell: export lists,
 * destructuring, re-exports.
 */
export function goneNames({ path, before, lines }: FileChange): string[] | null {
  const names = dialectOf(path)?.names;
  const removedLines = lines.removed.map(({ text }) => text);
  if (!names || before === null || names.areHidden(before, removedLines)) return null;
  const removed = removedLines.flatMap(names.inLine);
  const added = new Set(lines.added.flatMap(({ text }) => names.inLine(text)));
  return removed.filter((name) => !added.has(name));
}
