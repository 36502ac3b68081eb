import { visible } from '#lib/visible.ts';
import { columnsOf, wrapColumns } from './columns.ts';

type Tint = (text: string) => string;

const untinted: Tint = (text) => text;

const glueSpace = '\u00a0';

/** Words that stay on one line together. */
export function glue(text: string): string {
  return text.replaceAll(' ', glueSpace);
}

function wrapped(text: string, width: number): string[] {
  return wrapColumns(visible(text), width).map((line) => line.replaceAll(glueSpace, ' '));
}

/** A paragraph whose later lines are indented to its first word, not to its label. */
export function hang(
  label: string,
  text: string,
  { width, indent = 0, tintLabel = untinted, tint = untinted }: HangOptions,
): string[] {
  const margin = ' '.repeat(indent);
  const gap = ' '.repeat(columnsOf(label));
  const lines = wrapped(text, width - indent - columnsOf(label));
  return lines.map((line, index) => `${margin}${index === 0 ? tintLabel(label) : gap}${tint(line)}`);
}

interface HangOptions {
  readonly width: number;
  readonly indent?: number;
  readonly tintLabel?: Tint;
  readonly tint?: Tint;
}

interface Piece {
  readonly text: string;
  readonly tint?: Tint;
}

/** Pieces side by side, two spaces apart; a piece that does not fit starts the next line. */
export function sideBySide(pieces: readonly Piece[], width: number, indent = 2): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const { text, tint = untinted } of pieces) {
    const parts = wrapped(text, width - indent);
    for (const part of parts) {
      const columns = columnsOf(part);
      if (line !== '' && used + 2 + columns <= width) {
        line += `  ${tint(part)}`;
        used += 2 + columns;
        continue;
      }
      if (line !== '') lines.push(line);
      const margin = lines.length === 0 ? '' : ' '.repeat(indent);
      line = `${margin}${tint(part)}`;
      used = margin.length + columns;
    }
  }
  return line === '' ? lines : [...lines, line];
}
