import { unprintable } from '#lib/visible.ts';
import type { CheckReport } from '#schema/check-report.ts';

/** The envelope: keys in the order of the report object, two spaces, the same bytes for the same report. */
export function renderJson(report: CheckReport): string {
  const stats = Object.fromEntries(Object.entries(report.stats).sort(([a], [b]) => (a < b ? -1 : 1)));
  return printJson({ ...report, stats });
}

/** Indented JSON in which everything that a terminal would interpret is escaped. */
export function printJson(value: unknown): string {
  return printable(JSON.stringify(value, null, 2));
}

/** The same on one line. */
export function printJsonLine(value: unknown): string {
  return printable(JSON.stringify(value));
}

function printable(text: string): string {
  return `${text.replace(unprintable, (character) => (character === '\n' ? character : escaped(character)))}\n`;
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
