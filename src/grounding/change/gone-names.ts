import { dialectOf } from '#code/languages/index.ts';
import type { FileChange } from './change.ts';

/**
 * Names a module had and no longer has, as far as its changed lines tell; null when only its facts can: exports in
 * lists, destructuring, imports that are passed on.
 */
export function goneNames({ path, before, lines }: FileChange): string[] | null {
  const names = dialectOf(path)?.names;
  const removedLines = lines.removed.map(({ text }) => text);
  if (!names || before === null || names.areHidden(before, removedLines)) return null;
  const removed = removedLines.flatMap(names.inLine);
  const added = new Set(lines.added.flatMap(({ text }) => names.inLine(text)));
  return removed.filter((name) => !added.has(name));
}
