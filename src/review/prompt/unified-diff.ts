import type { FileChange } from '#grounding/change/change.ts';

const context = 3;
/** Longer changes are cut; the reviewer can open the file. */
const mostLines = 2000;

/** A change for reading: removed lines, then the new file around its added lines, with line numbers. */
export function unifiedDiff({ status, path, oldPath, before, after, lines }: FileChange): string {
  const head = status === 'renamed' ? [`renamed from ${oldPath} to ${path}`] : [`${status} ${path}`];
  if (before === null && after === null) return [...head, 'binary'].join('\n');
  const removed = lines.removed.map(({ line, text }) => `-${String(line).padStart(5)} ${text}`);
  const added = new Set(lines.added.map(({ line }) => line));
  const now = after === null ? [] : after.split('\n');
  const isNear = (line: number) => {
    for (let near = line - context; near <= line + context; near++) if (added.has(near)) return true;
    return false;
  };
  const shown: string[] = [];
  let last = 0;
  now.forEach((text, index) => {
    const line = index + 1;
    if (!isNear(line)) return;
    if (line !== last + 1) shown.push('…');
    last = line;
    shown.push(`${added.has(line) ? '+' : ' '}${String(line).padStart(5)} ${text}`);
  });
  const all = [...head, ...removed, ...shown];
  return all.length <= mostLines
    ? all.join('\n')
    : [...all.slice(0, mostLines), `… ${all.length - mostLines} more lines: open ${path}`].join('\n');
}
