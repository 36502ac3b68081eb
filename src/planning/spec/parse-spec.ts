/** A parsed spec. Plain data. */
export interface ParsedSpec {
  readonly title: string | null;
  readonly sections: readonly SpecSection[];
  readonly links: readonly SpecLink[];
  /** Lines outside code and comments, with their numbers. */
  readonly prose: readonly SpecLine[];
}

export interface SpecSection {
  /** 2 for `##`. */
  readonly level: number;
  readonly title: string;
  readonly line: number;
  /** The text below its heading, without subsections. */
  readonly body: readonly SpecLine[];
  /** Subsections count. */
  readonly isEmpty: boolean;
}

export interface SpecLine {
  readonly line: number;
  readonly text: string;
  /** Inside a fenced block. */
  readonly isCode: boolean;
}

interface SpecLink {
  readonly line: number;
  readonly text: string;
  readonly target: string;
}

export function parseSpec(text: string): ParsedSpec {
  const lines = readLines(text);
  const headings = lines.flatMap((line) => {
    const match = line.isCode ? null : /^(#{1,6})\s+(\S.*)$/.exec(line.text);
    return match
      ? [{ level: match[1]?.length ?? 1, title: withoutClosing(match[2] ?? ''), line: line.line }]
      : [];
  });
  const [first] = headings;
  const title = first?.level === 1 ? first.title : null;
  const sections = headings
    .filter(({ level }) => level > 1)
    .map((heading): SpecSection => {
      const next = headings.find(({ line }) => line > heading.line)?.line ?? Number.POSITIVE_INFINITY;
      const end = headings.find(({ line, level }) => line > heading.line && level <= heading.level)?.line;
      const isHeading = (line: number) => headings.some((each) => each.line === line);
      const below = lines.filter(
        ({ line }) => line > heading.line && line < (end ?? Number.POSITIVE_INFINITY) && !isHeading(line),
      );
      return {
        ...heading,
        body: below.filter(({ line, text: content }) => line < next && content.trim() !== ''),
        isEmpty: below.every(({ text: content }) => content.trim() === ''),
      };
    });
  const prose = lines.filter(({ isCode, text: content }) => !isCode && content.trim() !== '');
  return { title, sections, links: prose.flatMap(linksIn), prose };
}

/** Comments and front matter become empty lines. */
function readLines(text: string): SpecLine[] {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^---\n[\s\S]*?\n---(?=\n|$)/, blank);
  let fence: string | null = null;
  const marked = plain.split('\n').map((line, index): SpecLine => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      fence = mark;
      return { line: index + 1, text: line, isCode: true };
    }
    const isCode = fence !== null;
    if (fence !== null && mark?.startsWith(fence)) fence = null;
    return { line: index + 1, text: line, isCode };
  });
  return withoutComments(marked);
}

function withoutComments(lines: readonly SpecLine[]): SpecLine[] {
  let isInside = false;
  return lines.map((line) => {
    if (line.isCode) return line;
    let text = line.text;
    let kept = '';
    for (;;) {
      const at = text.indexOf(isInside ? '-->' : '<!--');
      if (!isInside) kept += at < 0 ? text : text.slice(0, at);
      if (at < 0) return { ...line, text: kept };
      text = text.slice(at + (isInside ? 3 : 4));
      isInside = !isInside;
    }
  });
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, '');
}

function linksIn({ line, text }: SpecLine): SpecLink[] {
  const plain = text.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
  return [
    ...plain.matchAll(/\[([^\]]{0,500})\]\(\s{0,200}<?([^)\s>]{1,1000})(?![^)\s>])>?[^)]{0,500}\)/g),
  ].map((match) => ({
    line,
    text: match[1] ?? '',
    target: match[2] ?? '',
  }));
}

/** Lower-case letters and digits: equal for two spellings of one heading. */
export function plainTitle(title: string): string {
  return title
    .toLowerCase()
    .replace(/^[\d.]+\s*/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** `Title ##` → `Title`. */
function withoutClosing(title: string): string {
  return title
    .trimEnd()
    .replace(/(?<!#)#+$/, '')
    .trimEnd();
}
