/** A line of one version of a file. */
export interface PlacedLine {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/**
 * Both sides added the same line in the same place of a file, for example by picking one commit: that is one thing, not two. Where the sides
 * merge, the merged file holds it no more often than they do; otherwise the same line stands before or after it on both sides.
 */
export function isSameAddition(a: PlacedLine, b: PlacedLine, union: string | null): boolean {
  const [left, right] = [linesOf(a), linesOf(b)];
  const [own, other] = [left[a.line - 1], right[b.line - 1]];
  if (!own || own !== other) return false;
  const count = (lines: readonly string[]) => lines.filter((line) => line === own).length;
  if (union !== null) return count(linesOf({ text: union })) <= Math.max(count(left), count(right));
  const isShared = (line: string | undefined, twin: string | undefined) =>
    line !== undefined && /\w/.test(line) && line === twin;
  return (
    isShared(left.slice(0, a.line - 1).findLast(Boolean), right.slice(0, b.line - 1).findLast(Boolean)) ||
    isShared(left.slice(a.line).find(Boolean), right.slice(b.line).find(Boolean))
  );
}

function linesOf({ text }: Pick<PlacedLine, 'text'>): string[] {
  return text.split('\n').map((line) => line.trim());
}
