/** Created on demand: plain text never needs it, and creating it takes longer than most reports. */
let segmenter: Intl.Segmenter | null = null;
const ascii = /^[\x20-\x7e]*$/;
const zeroWidth = /^[\p{M}\p{Cf}]+$/u;
/** East Asian wide and full-width blocks, and everything drawn as an emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\ufe0f|\p{Emoji_Presentation}/u;

interface Cell {
  readonly text: string;
  readonly width: number;
}

function cells(text: string): Cell[] {
  if (ascii.test(text)) return Array.from(text, (character) => ({ text: character, width: 1 }));
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => ({
    text: segment,
    width: zeroWidth.test(segment) ? 0 : wide.test(segment) ? 2 : 1,
  }));
}

/** The width of a text on a terminal. */
export function columnsOf(text: string): number {
  return ascii.test(text) ? text.length : cells(text).reduce((sum, { width }) => sum + width, 0);
}

/** At most `width` columns from `start` on; marks what is cut on either side. */
export function cutColumns(text: string, start: number, width: number, ellipsis: string): string {
  const total = columnsOf(text);
  if (start <= 0 && total <= width) return text;
  const mark = columnsOf(ellipsis);
  const from = start <= 0 ? 0 : start + mark;
  const to = start + width - (total > start + width ? mark : 0);
  let kept = '';
  let at = 0;
  for (const cell of cells(text)) {
    const end = at + cell.width;
    if (at >= from && end <= to) kept += cell.text;
    // Half of a wide character becomes a space, so that what follows stays aligned.
    else if (at < from && end > from && end <= to) kept += ' '.repeat(end - from);
    at = end;
  }
  const before = start > 0 && total > 0 ? ellipsis : '';
  return `${before}${kept}${total > start + width ? ellipsis : ''}`;
}

/** Breaks a paragraph at spaces; a word longer than the width is broken, after a slash if it has one. */
export function wrapColumns(text: string, width: number): string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (columnsOf(joined) <= room) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(word, room);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

function breakWord(word: string, room: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const cell of cells(word)) {
    if (used + cell.width > room && piece !== '') {
      const border = borderIn(piece);
      const rest = piece.slice(border);
      pieces.push(piece.slice(0, border).replace(/\u00a0$/, ''));
      piece = rest;
      used = columnsOf(rest);
    }
    piece += cell.text;
    used += cell.width;
  }
  return [...pieces, piece];
}

/** After the last glued space or, unless little would be left on the line, after the last slash; else the end. */
function borderIn(piece: string): number {
  const space = piece.lastIndexOf('\u00a0') + 1;
  if (space > 0) return space;
  const slash = piece.lastIndexOf('/') + 1;
  return slash > piece.length / 3 ? slash : piece.length;
}
