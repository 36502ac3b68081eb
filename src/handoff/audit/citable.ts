import type { ProseLine } from '../markdown/prose-lines.ts';
import { proseLines } from '../markdown/prose-lines.ts';
import { sectionsIn } from '../markdown/sections.ts';

/** A file that can be cited: read once for all queries. */
export class Citable {
  readonly text: string;
  readonly isMarkdown: boolean;
  #lines: ProseLine[] | null = null;
  #anchors: Set<string> | null = null;

  constructor(name: string, text: string) {
    this.text = text;
    this.isMarkdown = /\.(?:md|mdx|markdown)$/i.test(name);
  }

  get prose(): readonly ProseLine[] {
    this.#lines ??= proseLines(this.text);
    return this.#lines;
  }

  /** Anchors of its headings, in order. */
  get anchors(): ReadonlySet<string> {
    this.#anchors ??= new Set(this.isMarkdown ? sectionsIn(this.prose).map(({ anchor }) => anchor) : []);
    return this.#anchors;
  }

  /** In source code an anchor is a range of lines, `L10-L20`, or a name that occurs there. */
  has(anchor: string): boolean {
    if (this.isMarkdown) return this.anchors.has(anchor.normalize('NFC'));
    const { first, last = first } = /^L(?<first>\d+)(?:-L?(?<last>\d+))?$/.exec(anchor)?.groups ?? {};
    if (first !== undefined) return isRange(Number(first), Number(last), this.text);
    return hasWord(this.text, anchor);
  }
}

export function isRange(first: number, last: number, text: string): boolean {
  return first >= 1 && first <= last && last <= lineCount(text);
}

export function lineCount(text: string): number {
  const lines = text.split('\n').length;
  return text.endsWith('\n') ? lines - 1 : lines;
}

/** As a whole word: `User` is not part of `UserList`. */
export function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + word.length] ?? ' ';
    if (!/[\w$]/.test(before) && !/[\w$]/.test(after)) return true;
  }
  return false;
}
