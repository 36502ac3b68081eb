import type { Facts } from '#code/facts/facts.ts';

/** One changed file, before and after; a missing file is an empty text. */
export interface ChangedText {
  readonly path: string;
  /** The previous path; the same unless it was moved. */
  readonly oldPath: string;
  readonly isNew: boolean;
  readonly isGone: boolean;
  readonly before: string;
  readonly after: string;
  /** Lines that the previous version lacks. */
  readonly added: readonly Line[];
  /** Lines of the previous version that the new one lacks. */
  readonly gone: readonly Line[];
  /** The lines that the versions do not have equally often, as one text. */
  readonly differing: string;
  /** Code only. */
  readonly factsBefore: Facts | undefined;
  readonly factsAfter: Facts | undefined;
}

export interface Line {
  readonly line: number;
  readonly text: string;
}

/** Compares the lines when they are first asked for: many kinds of news do not need them. */
export function withLines(file: Omit<ChangedText, 'added' | 'gone' | 'differing'>): ChangedText {
  const { before, after } = file;
  let added: readonly Line[] | undefined;
  let gone: readonly Line[] | undefined;
  let differing: string | undefined;
  return {
    ...file,
    get added() {
      added ??= newLines(before, after);
      return added;
    },
    get gone() {
      gone ??= newLines(after, before);
      return gone;
    },
    get differing() {
      differing ??= differingLines(before, after).join('\n');
      return differing;
    },
  };
}

/** Lines of the one text that the other lacks. */
export function newLines(before: string, after: string): Line[] {
  if (before === after) return [];
  const old = new Set(before.split('\n').map((line) => line.trim()));
  return after.split('\n').flatMap((text, index) => {
    const trimmed = text.trim();
    return trimmed === '' || trimmed.length > longestLine || old.has(trimmed)
      ? []
      : [{ line: index + 1, text }];
  });
}

function differingLines(before: string, after: string): string[] {
  const counts = new Map<string, number>();
  for (const line of before.split('\n')) counts.set(line, (counts.get(line) ?? 0) - 1);
  for (const line of after.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].flatMap(([line, by]) => (by === 0 ? [] : [line]));
}

/** Longer lines are data or generated. */
const longestLine = 400;

/** A line of a comment, or what follows `// ` or `# `: an address such as `https://x` and `#define` stay. */
const comment = /^\s*(?:\/\/|\/\*|\*(?=[\s/]|$)|#(?!\w)|--\s|<!--).*|\s(?:\/\/|#)\s.*$/;

export function withoutComment(line: string): string {
  return line.replace(comment, '');
}
