export interface CutDiff {
  readonly text: string;
  /** Number of hunks that did not fit. */
  readonly omitted: number;
}

interface FileDiff {
  readonly head: string;
  /** Each begins with `@@`; a binary file or a pure rename has none. */
  readonly hunks: readonly string[];
  readonly isFirst: boolean;
}

/**
 * As much of a unified diff as fits into the limit in UTF-8 bytes: whole hunks, each below the head of its file, and a line
 * that says how many were left out. Files that `isFirst` accepts come first.
 */
export function cutDiff(diff: string, maxBytes: number, isFirst: (head: string) => boolean): CutDiff {
  const files = filesOf(diff, isFirst);
  const whole = files.map(({ head, hunks }) => [head, ...hunks].join('')).join('');
  if (size(whole) <= maxBytes) return { text: whole, omitted: 0 };
  const total = files.reduce((sum, { hunks }) => sum + Math.max(1, hunks.length), 0);
  let room = maxBytes - size(marker(total));
  let kept = 0;
  const parts: string[] = [];
  for (const { head, hunks } of files) {
    const fitting: string[] = [];
    let left = room - size(head);
    for (const hunk of hunks) {
      if (size(hunk) > left) continue;
      left -= size(hunk);
      fitting.push(hunk);
    }
    const isWorthIt = left >= 0 && (fitting.length > 0 || hunks.length === 0);
    if (!isWorthIt) continue;
    room = left;
    kept += Math.max(1, fitting.length);
    parts.push(head, ...fitting);
  }
  const omitted = total - kept;
  // If even this line does not fit, it is left out; the record of the prompt still has the number.
  const said = size(marker(omitted)) <= maxBytes ? marker(omitted) : '';
  return { text: `${parts.join('')}${said}`, omitted };
}

function marker(hunks: number): string {
  return `[Truncated: ${hunks} ${hunks === 1 ? 'hunk' : 'hunks'} omitted]\n`;
}

/** Content lines start with a blank, a sign or a backslash; only heads and hunks do not. Only `\n` ends a line. */
function filesOf(diff: string, isFirst: (head: string) => boolean): FileDiff[] {
  const text = diff === '' || diff.endsWith('\n') ? diff : `${diff}\n`;
  const files = text
    .split(/(?<![^\n])(?=diff --git )/)
    .filter((part) => part !== '')
    .map((part) => {
      const [head = '', ...hunks] = part.split(/(?<![^\n])(?=@@ )/);
      return { head, hunks, isFirst: isFirst(head) };
    });
  return [...files.filter((file) => file.isFirst), ...files.filter((file) => !file.isFirst)];
}

function size(text: string): number {
  return Buffer.byteLength(text);
}
