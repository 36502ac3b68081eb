/** A part of a file that git could not merge completely. */
export type Part =
  | { readonly kind: 'merged'; readonly lines: readonly string[] }
  | { readonly kind: 'conflict'; readonly ours: readonly string[]; readonly theirs: readonly string[] };

/** Git writes the commit id after its markers; lines of the file that look like markers have none. */
const start = /^<{7} [0-9a-f]{40,64}(?::|\r?$)/;
const middle = /^={7}\r?$/;
const end = /^>{7} [0-9a-f]{40,64}(?::|\r?$)/;

/** The text of a file with conflict markers, in parts. */
export function readConflicts(text: string): Part[] {
  const parts: Part[] = [];
  let merged: string[] = [];
  let conflict: { ours: string[]; theirs: string[]; isTheirs: boolean } | null = null;
  for (const line of text.split('\n')) {
    if (!conflict && start.test(line)) {
      parts.push({ kind: 'merged', lines: merged });
      merged = [];
      conflict = { ours: [], theirs: [], isTheirs: false };
    } else if (!conflict) merged.push(line);
    else if (!conflict.isTheirs && middle.test(line)) conflict.isTheirs = true;
    else if (conflict.isTheirs && end.test(line)) {
      parts.push({ kind: 'conflict', ours: conflict.ours, theirs: conflict.theirs });
      conflict = null;
    } else (conflict.isTheirs ? conflict.theirs : conflict.ours).push(line);
  }
  // Git did not write a marker without an end.
  if (conflict) return [{ kind: 'merged', lines: text.split('\n') }];
  return [...parts, { kind: 'merged', lines: merged }];
}

/** Lines of one side's own file, from 1. For a side that removed lines: where they were. */
export interface Lines {
  readonly line: number;
  readonly endLine: number;
}

/** Where the conflicts of a merged text are in the file of one side. */
export function conflictsIn(parts: readonly Part[], side: 'ours' | 'theirs', own: string): Lines[] {
  const text = own.split('\n');
  const found: Lines[] = [];
  let next = 0;
  let before: string | undefined;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'merged') {
      next += part.lines.length;
      before = part.lines.at(-1) ?? before;
      continue;
    }
    const after = parts[index + 1];
    const neighbours = { before, after: after?.kind === 'merged' ? after.lines[0] : undefined };
    const least = found.at(-1)?.endLine ?? 0;
    const at = placeIn(text, part[side], neighbours, next, least);
    const line = Math.max(1, Math.min(at + 1, text.length));
    found.push({ line, endLine: Math.max(line, at + part[side].length) });
    next = at + part[side].length;
    before = part[side].at(-1) ?? before;
  }
  return found;
}

/** The index of these lines that is nearest to the expected one, between the same neighbours if possible. */
function placeIn(
  text: readonly string[],
  wanted: readonly string[],
  { before, after }: { readonly before: string | undefined; readonly after: string | undefined },
  expected: number,
  least: number,
): number {
  let best = expected;
  let bestRank = Number.POSITIVE_INFINITY;
  for (let at = least; at <= text.length - wanted.length; at++) {
    if (wanted.some((line, offset) => text[at + offset] !== line)) continue;
    const strangers =
      (at === 0 || text[at - 1] === before ? 0 : 1) + (text[at + wanted.length] === after ? 0 : 1);
    const rank = strangers * text.length + Math.abs(at - expected);
    if (rank < bestRank) [best, bestRank] = [at, rank];
  }
  return Math.min(best, text.length);
}
