import { visibleLine } from '#lib/visible.ts';
import { columnsOf, wrapColumns } from '#report/text/columns.ts';
import { escapeMarkup } from '#report/text/markup.ts';
import type { WorkflowShowReport } from '#schema/workflow-reports.ts';
import { type Branch, treeOf } from './outline-tree.ts';

const boxWidth = 380;
const lineHeight = 17;
const padding = 10;
const gap = 26;
const inset = 34;
/** Columns of text that fit into a box. */
const textColumns = 52;

/** The shapes drawn so far, and the current height. */
interface Sheet {
  readonly shapes: string[];
  bottom: number;
  right: number;
}

/** The workflow from top to bottom: boxes for steps, a frame around each loop, dashed lines around optional steps. */
export function renderSvg({ workflow, steps }: Pick<WorkflowShowReport, 'workflow' | 'steps'>): string {
  const sheet: Sheet = { shapes: [], bottom: 60, right: inset + boxWidth };
  drawList(sheet, treeOf(steps), inset);
  const end = drawEnd(sheet);
  const width = sheet.right + 110;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${end}" width="${width}" height="${end}" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${escapeMarkup(workflow.name)}</title>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="#556"/></marker></defs>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${inset}" y="32" font-size="16" font-weight="600" fill="#223">${escapeMarkup(workflow.name)}</text>`,
    ...sheet.shapes,
    '</svg>',
    '',
  ].join('\n');
}

function drawList(sheet: Sheet, list: readonly Branch[], left: number): void {
  list.forEach((step, at) => {
    if (at > 0) {
      const x = left + 40;
      sheet.shapes.push(line(x, sheet.bottom, x, sheet.bottom + gap));
      sheet.bottom += gap;
    }
    draw(sheet, step, left);
  });
}

function draw(sheet: Sheet, step: Branch, left: number): void {
  const top = sheet.bottom;
  const under = sheet.shapes.length;
  if (step.condition !== null) drawCondition(sheet, step.condition, left);
  if (step.kind === 'loop') drawLoop(sheet, step, left);
  else drawBox(sheet, step, left);
  if (step.condition !== null) drawBypass(sheet, top, left, under);
}

function drawCondition(sheet: Sheet, condition: string, left: number): void {
  const lines = wrapColumns(`if ${visibleLine(condition)}`, textColumns);
  const height = lines.length * lineHeight + 8;
  const { bottom: top, shapes } = sheet;
  shapes.push(
    `<path d="M${left + 40} ${top} l9 9 l-9 9 l-9 -9z" fill="#fff4d6" stroke="#b8860b"/>`,
    ...lines.map((text, at) =>
      label(
        left + 58,
        top + 13 + at * lineHeight,
        text,
        '#8a6500" stroke="#fff" stroke-width="6" paint-order="stroke',
      ),
    ),
    line(left + 40, top + 18, left + 40, top + height + 8),
  );
  sheet.bottom = top + height + 8;
}

const colours = {
  step: ['#eef3ff', '#4a6fd0'],
  parallel: ['#f1ecff', '#7a5bd0'],
  check: ['#e8f7ee', '#2f8f5b'],
} as const;

function drawBox(sheet: Sheet, step: Branch, left: number): void {
  const { bottom: top, shapes } = sheet;
  const titles = wrapColumns(visibleLine(step.title), textColumns);
  const notes = [step.id, ...step.notes].flatMap((note) => wrapColumns(visibleLine(note), textColumns + 4));
  const height = 2 * padding + titles.length * lineHeight + notes.length * 15;
  const [fill, stroke] = step.kind === 'loop' ? colours.step : colours[step.kind];
  shapes.push(
    `<rect x="${left}" y="${top}" width="${boxWidth}" height="${height}" rx="6" fill="${fill}" stroke="${stroke}"/>`,
    ...titles.map((text, at) => label(left + 12, top + padding + 13 + at * lineHeight, text, '#223')),
    ...notes.map((text, at) =>
      label(left + 12, top + padding + titles.length * lineHeight + 11 + at * 15, text, '#667', 11),
    ),
  );
  if (step.jumpsTo !== null)
    shapes.push(label(left + boxWidth + 8, top + height / 2, `↷ ${step.jumpsTo}`, '#b8860b', 11));
  sheet.bottom = top + height;
  sheet.right = Math.max(sheet.right, left + boxWidth);
}

function drawLoop(sheet: Sheet, step: Branch, left: number): void {
  const top = sheet.bottom;
  const at = sheet.shapes.length;
  const notes = step.notes.flatMap((note) => wrapColumns(visibleLine(note), textColumns));
  sheet.bottom = top + 34 + notes.length * 15;
  drawList(sheet, step.inside, left + inset);
  const bottom = sheet.bottom + 18;
  const width = sheet.right - left + 18;
  const x = left + 14;
  // Inserted before its steps, so that they are drawn on top of it.
  sheet.shapes.splice(
    at,
    0,
    `<rect x="${left}" y="${top}" width="${width}" height="${bottom - top}" rx="10" fill="#f7f7fa" stroke="#99a" stroke-dasharray="6 3"/>`,
    label(left + 12, top + 20, `⟳ ${visibleLine(step.title)}`, '#334'),
    ...notes.map((text, index) => label(left + 12, top + 36 + index * 15, text, '#667', 11)),
    `<path d="M${left + inset} ${sheet.bottom - 12} H${x} V${top + 44 + notes.length * 15} H${left + inset - 2}" fill="none" stroke="#99a" marker-end="url(#tip)"/>`,
  );
  sheet.bottom = bottom;
  sheet.right = Math.max(sheet.right, left + width);
}

/** A line around what is skipped, drawn below everything else so that it crosses no text. */
function drawBypass(sheet: Sheet, top: number, left: number, under: number): void {
  const right = sheet.right + 22;
  const y = sheet.bottom + 12;
  sheet.shapes.splice(
    under,
    0,
    `<path d="M${left + 49} ${top + 9} H${right} V${y} H${left + 44}" fill="none" stroke="#b8860b" stroke-dasharray="4 3" marker-end="url(#tip)"/>`,
  );
}

function drawEnd(sheet: Sheet): number {
  const x = inset + 40;
  sheet.shapes.push(
    line(x, sheet.bottom, x, sheet.bottom + gap),
    `<circle cx="${x}" cy="${sheet.bottom + gap + 8}" r="8" fill="#223"/>`,
  );
  return sheet.bottom + gap + 40;
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#556" marker-end="url(#tip)"/>`;
}

function label(x: number, y: number, text: string, fill: string, size = 13): string {
  const squeeze =
    columnsOf(text) * size * 0.56 > boxWidth
      ? ` textLength="${boxWidth - 24}" lengthAdjust="spacingAndGlyphs"`
      : '';
  return `<text x="${x}" y="${y}" fill="${fill}" font-size="${size}"${squeeze}>${escapeMarkup(text)}</text>`;
}
