import { type ProseLine, proseLines } from './prose-lines.ts';

/** A part of a document that can be cited: from its heading to the next one. */
export interface DocumentSection {
  /** The part after `#`. */
  readonly anchor: string;
  readonly title: string;
  readonly level: number;
  /** Line of its heading, from 1. */
  readonly line: number;
}

const atx = /^ {0,3}(?<marks>#{1,6})(?:[ \t]+(?<title>[^\n]*))?$/;
const underline = /^ {0,3}(?<marks>=+|-{2,})[ \t]*$/;
/** What cannot be a heading's text above an underline: lists, quotes, tables, rulers, indented code. */
const noParagraph = /^(?:\s*$|\s*[-*+][ \t]|\s*\d+[.)][ \t]|\s*[>|]|\s*(?:[-*_][ \t]*){3,}$| {4}|\t)/;

/** Every section of a Markdown text, in order, with the anchors GitHub gives them. */
export function sectionsOf(text: string): DocumentSection[] {
  return sectionsIn(proseLines(text));
}

export function sectionsIn(lines: readonly ProseLine[]): DocumentSection[] {
  const anchors = new Anchors();
  return headingsIn(lines).map((heading) => ({ ...heading, anchor: anchors.next(heading.title) }));
}

function headingsIn(lines: readonly ProseLine[]): Omit<DocumentSection, 'anchor'>[] {
  const headings: Omit<DocumentSection, 'anchor'>[] = [];
  let isParagraph = false;
  for (const [index, { number, text }] of lines.entries()) {
    const { marks, title = '' } = atx.exec(text)?.groups ?? {};
    const above = lines[index - 1];
    if (marks !== undefined) {
      headings.push({ title: withoutClosing(title), level: marks.length, line: number });
      isParagraph = false;
    } else if (isParagraph && above?.number === number - 1 && underline.test(text)) {
      headings.push({ title: above.text.trim(), level: text.includes('=') ? 1 : 2, line: above.number });
      isParagraph = false;
    } else {
      // Only a paragraph of one line: under several lines, an underline is more often a ruler than a heading.
      isParagraph = !noParagraph.test(text) && !isRunningOn(lines[index - 1], number);
    }
  }
  return headings;
}

function isRunningOn(above: ProseLine | undefined, number: number): boolean {
  return above?.number === number - 1 && above.text.trim() !== '' && !atx.test(above.text);
}

/** `Title ##` is `Title`. */
function withoutClosing(title: string): string {
  return title
    .trim()
    .replace(/(^|[ \t])#+$/, '')
    .trimEnd();
}

const image = /!\[[^\]]{0,500}\]\([^)]{0,1000}\)/g;
const link = /\[(?<text>[^\]]{0,500})\]\([^)]{0,1000}\)/g;
const tag = /<\/?[a-z][^<>]*>/gi;
const dropped = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu;

/** The anchor of a title that occurs once: letters, marks, digits, `_` and `-` stay, each space becomes a hyphen. */
export function slugOf(title: string): string {
  const text = title
    .normalize('NFC')
    .replace(image, '')
    .replace(link, (_all, inner: string) => inner)
    .replace(tag, '');
  return text.trim().toLowerCase().replace(dropped, '').replaceAll(' ', '-').normalize('NFC');
}

/** Assigns anchors in document order: the second `Setup` is `setup-1`, unless a title has that anchor. */
class Anchors {
  readonly #taken = new Set<string>();
  readonly #tried = new Map<string, number>();

  next(title: string): string {
    const slug = slugOf(title);
    let anchor = slug;
    let n = this.#tried.get(slug) ?? 0;
    while (this.#taken.has(anchor)) {
      n += 1;
      anchor = `${slug}-${n}`;
    }
    this.#tried.set(slug, n);
    this.#taken.add(anchor);
    return anchor;
  }
}
