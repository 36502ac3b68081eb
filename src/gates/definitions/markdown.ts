import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';

/** A node of a Markdown text, as far as a reader of blocks and lines needs it. */
export interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly depth?: number;
  readonly children?: readonly MarkdownNode[];
  readonly position?: Place | undefined;
}

interface Place {
  readonly start: { readonly line: number; readonly offset?: number | undefined };
  readonly end: { readonly offset?: number | undefined };
}

/** A piece of a line: words, or what stands in backticks. */
export interface Piece {
  readonly kind: 'text' | 'code';
  readonly text: string;
  /** Where it ends in the whole text. */
  readonly end: number;
}

export interface MarkdownLine {
  readonly number: number;
  readonly pieces: readonly Piece[];
}

/** The time of the parser grows with the square of these: docs/dependencies.md has the measurement. */
const limits = { bytes: 128 * 1024, containers: 8, marks: 8000 } as const;
const container = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;
const oneContainer = />|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])/g;

/** Why a text is not parsed; null: it can be. */
export function hostileMarkdown(text: string): string | null {
  if (text.length > limits.bytes) return `it has more than ${limits.bytes / 1024} kB`;
  let marks = 0;
  for (const line of text.split('\n')) {
    const depth = container.exec(line)?.[0].match(oneContainer)?.length ?? 0;
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (depth > limits.containers || indent > 8 * limits.containers)
      return 'its lists or quotes are nested too deeply';
    marks += line.match(/[*_[\]]/g)?.length ?? 0;
  }
  return marks > limits.marks ? `it has more than ${limits.marks} of the marks * _ [ ]` : null;
}

/** Blocks of a text that hostileMarkdown accepts. */
export function readMarkdown(text: string): readonly MarkdownNode[] {
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }).children;
}

/** The lines of a paragraph, heading or cell, without emphasis; links count with their words. */
export function linesOf(node: MarkdownNode, source: string): MarkdownLine[] {
  const lines: { number: number; pieces: Piece[] }[] = [{ number: lineOf(node), pieces: [] }];
  const visit = (each: MarkdownNode): void => {
    const { start, end } = spanOf(each);
    if (each.type === 'inlineCode') {
      lines.at(-1)?.pieces.push({ kind: 'code', text: (each.value ?? '').trim(), end });
    } else if (each.type === 'text') {
      // The text as written: a command is not Markdown.
      let at = start;
      for (const [index, part] of source.slice(start, end).split('\n').entries()) {
        if (index > 0) lines.push({ number: lineOf(each) + index, pieces: [] });
        at += part.length;
        lines.at(-1)?.pieces.push({ kind: 'text', text: part.replace(/\r$/, ''), end: at });
        at++;
      }
    } else if (each.type === 'break') {
      lines.push({ number: lineOf(each) + 1, pieces: [] });
    } else each.children?.forEach(visit);
  };
  visit(node);
  return lines.filter(({ pieces }) => pieces.some(({ text }) => text.trim() !== ''));
}

export function lineOf({ position }: MarkdownNode): number {
  return position?.start.line ?? 1;
}

export function spanOf({ position }: MarkdownNode): { readonly start: number; readonly end: number } {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}
