/** A line of a Markdown text that is prose: not in a code fence, an HTML comment or the front matter. */
export interface ProseLine {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
}

interface Fence {
  readonly mark: string;
  readonly length: number;
}

const opening = /^ {0,3}(?<marks>`{3,}|~{3,})(?<info>.*)$/;

/** Normalizes a text: no byte order mark, LF, composed characters. */
function normalized(text: string): string {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return plain.normalize('NFC');
}

/** The prose of a text, without code fences and comments. */
export function proseLines(text: string): ProseLine[] {
  const lines = normalized(text).split('\n');
  const prose: ProseLine[] = [];
  let fence: Fence | null = null;
  let isComment = false;
  for (let index = frontMatterLength(lines); index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (fence) {
      if (closes(fence, line)) fence = null;
    } else if (isComment) {
      isComment = !line.includes('-->');
    } else {
      fence = openedBy(line);
      isComment = /^ {0,3}<!--/.test(line) && !line.slice(line.indexOf('<!--') + 4).includes('-->');
      if (!fence && !isComment) prose.push({ number: index + 1, text: line });
    }
  }
  return prose;
}

function openedBy(line: string): Fence | null {
  const { marks, info } = opening.exec(line)?.groups ?? {};
  if (marks === undefined) return null;
  const mark = marks.charAt(0);
  // `` ```a`b `` is a code span, not a fence.
  return mark === '`' && info?.includes('`') ? null : { mark, length: marks.length };
}

function closes({ mark, length }: Fence, line: string): boolean {
  const trimmed = line.trimEnd();
  const marks = trimmed.replace(/^ {0,3}/, '');
  return marks.length >= length && marks === mark.repeat(marks.length);
}

/** Number of lines of a YAML block at the top, including its borders. */
function frontMatterLength(lines: readonly string[]): number {
  if (lines[0] !== '---') return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)$/.test(line));
  return end + 1;
}
