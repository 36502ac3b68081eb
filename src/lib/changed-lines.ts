interface Line {
  /** Line number, from 1, in the text that contains the line. */
  readonly line: number;
  readonly text: string;
}

export interface ChangedLines {
  readonly added: readonly Line[];
  readonly removed: readonly Line[];
}

/**
 * The lines that one text has more often than the other. A line that only moved is neither added nor removed; the cost is linear in the
 * length of the texts.
 */
export function changedLines(before: string, after: string): ChangedLines {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  return {
    added: surplus(now, old, start, end),
    removed: surplus(old, now, start, end),
  };
}

/** Lines of `these` that `those` lacks, without the common beginning and end. */
function surplus(these: readonly string[], those: readonly string[], start: number, end: number): Line[] {
  const left = new Map<string, number>();
  for (let index = start; index < those.length - end; index++) {
    const text = those[index] as string;
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  const found: Line[] = [];
  for (let index = start; index < these.length - end; index++) {
    const text = these[index] as string;
    const rest = left.get(text) ?? 0;
    if (rest > 0) left.set(text, rest - 1);
    else found.push({ line: index + 1, text });
  }
  return found;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
