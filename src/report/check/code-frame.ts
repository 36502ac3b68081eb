import { visible } from '#lib/visible.ts';
import { columnsOf, cutColumns, wrapColumns } from '#report/text/columns.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { ShownFrame } from './choose-frames.ts';

const tabStop = 4;
const indent = 2;

/** A code line as it is drawn: tabs expanded, controls visible. */
function drawn(line: string): string {
  return line.split('\t').reduce((text, part, index) => {
    const gap = index === 0 ? 0 : tabStop - (columnsOf(text) % tabStop);
    return `${text}${' '.repeat(gap)}${visible(part)}`;
  }, '');
}

/** Start and width of the word at a column, on the drawn line. */
function span(line: string, column: number): { start: number; width: number } {
  const at = Math.min(column - 1, line.length);
  const word = /^[\p{L}\p{N}_$]+/u.exec(line.slice(at))?.[0] ?? '';
  const start = columnsOf(drawn(line.slice(0, at)));
  return { start, width: Math.max(1, columnsOf(visible(word))) };
}

function commonIndent(lines: readonly string[]): number {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  return indents.length === 0 ? 0 : Math.min(...indents);
}

/** How many columns to cut on the left so that the site is visible. */
function shiftFor({ start, width }: { start: number; width: number }, room: number, mark: number): number {
  const end = start + width;
  if (end + mark <= room) return 0;
  return Math.max(0, Math.min(start - mark - 1, end + mark - room));
}

/** The lines around a site, numbered, with a marker at the site. */
export function renderCodeRows(frame: ShownFrame, page: Page): string[] {
  const { paint, width } = page;
  const { bar, ellipsis } = marksOf(page);
  const source = frame.lines.map((line) => line.replace(/\r$/, ''));
  const digits = String(frame.firstLine + source.length - 1).length;
  const room = Math.max(8, width - indent - digits - 5);
  const pad = commonIndent(source.map(drawn));
  const spans = new Map(
    frame.sites.flatMap(({ line, column }) => {
      const text = source[line - frame.firstLine];
      return text === undefined ? [] : [[line, span(text, column)] as const];
    }),
  );
  const first = [...spans.values()][0];
  const shift = first ? shiftFor({ ...first, start: first.start - pad }, room, columnsOf(ellipsis)) : 0;

  return source.flatMap((text, index) => {
    const number = frame.firstLine + index;
    const site = spans.get(number);
    const marker = frame.removed ? '-' : site ? '>' : ' ';
    const code = cutColumns(drawn(text).slice(pad), shift, room, ellipsis);
    const gutter = `${' '.repeat(indent)}${marker} ${String(number).padStart(digits)} ${bar}`;
    const tint = frame.removed ? paint.red : site ? paint.bold : paint.dim;
    const row =
      code === '' ? tint(gutter) : `${tint(gutter)} ${frame.removed || site ? code : paint.dim(code)}`;
    return site ? [row, caret(site, { pad, shift, room, digits }, page)] : [row];
  });
}

interface Geometry {
  readonly pad: number;
  readonly shift: number;
  readonly room: number;
  readonly digits: number;
}

function caret(site: { start: number; width: number }, at: Geometry, page: Page): string {
  const gutter = `${' '.repeat(indent + at.digits + 3)}${marksOf(page).bar} `;
  const start = Math.min(Math.max(0, site.start - at.pad - at.shift), at.room - 1);
  const carets = '^'.repeat(Math.max(1, Math.min(site.width, at.room - start)));
  return `${page.paint.dim(gutter)}${' '.repeat(start)}${page.paint.red(carets)}`;
}

/** The branch and place of a frame. */
export function renderFrameLabel(
  { branch, file, sites, firstLine, removed }: ShownFrame,
  { paint, width }: Page,
): string[] {
  const name = visible(branch);
  const place = `${visible(file)}:${sites[0]?.line ?? firstLine}${removed ? ' (removed)' : ''}`;
  const margin = ' '.repeat(indent);
  if (columnsOf(`${margin}${name}  ${place}`) <= width) return [`${margin}${paint.cyan(name)}  ${place}`];
  return [
    ...wrapColumns(name, width - indent).map((line) => `${margin}${paint.cyan(line)}`),
    ...wrapColumns(place, width - indent).map((line) => `${margin}${line}`),
  ];
}
