import { ScenarioError } from './scenario-error.ts';
import { type ContentNote, isSectionLine } from './section-line.ts';

/** Content as the lines of a section, and notes on how to read them. */
export interface Body {
  readonly notes: ReadonlySet<ContentNote>;
  readonly lines: readonly string[];
}

const quote = '>';
const base64Width = 76;

/** Plain lines if they can represent the content, otherwise the note that changes least. */
export function printContent(content: Buffer): Body {
  const text = readableText(content);
  if (text === null) {
    const lines = content.toString('base64').match(new RegExp(`.{1,${base64Width}}`, 'g')) ?? [];
    return { notes: new Set(['base64']), lines };
  }
  if (text === '') return { notes: new Set(), lines: [] };
  const notes = new Set<ContentNote>();
  const lines = text.split(/\r?\n/);
  if (text.includes('\r')) notes.add('crlf');
  if (lines.at(-1) === '') lines.pop();
  else notes.add('no newline at end');
  if (!lines.some(isSectionLine)) return { notes, lines };
  return { notes: notes.add('quoted'), lines: lines.map((line) => quote + line) };
}

/** null for what an editor would not show or keep: invalid UTF-8, control characters, mixed line ends. */
function readableText(content: Buffer): string | null {
  const text = content.toString('utf8');
  if (!Buffer.from(text).equals(content)) return null;
  if (/[^\P{Cc}\t\r\n]|\ufeff/u.test(text)) return null;
  const hasCarriageReturn = text.includes('\r');
  const hasOtherEnds = /\r(?!\n)|(?<!\r)\n/.test(text);
  return hasCarriageReturn && hasOtherEnds ? null : text;
}

/** `number` is the line of the section itself; its body starts on the next. */
export function parseContent({ notes, lines }: Body, number: number): Buffer {
  if (notes.has('base64')) return parseBase64({ notes, lines }, number);
  if (lines.length === 0) {
    if (notes.has('no newline at end'))
      throw new ScenarioError(number, 'an empty file needs no "no newline at end"');
    return Buffer.alloc(0);
  }
  const plain = notes.has('quoted') ? lines.map((line, index) => unquote(line, number + 1 + index)) : lines;
  const end = notes.has('crlf') ? '\r\n' : '\n';
  return Buffer.from(plain.join(end) + (notes.has('no newline at end') ? '' : end));
}

function parseBase64({ notes, lines }: Body, number: number): Buffer {
  if (notes.size > 1) throw new ScenarioError(number, 'base64 goes with no other note');
  const text = lines.join('');
  const content = Buffer.from(text, 'base64');
  if (content.toString('base64') !== text) throw new ScenarioError(number, 'the section is not base64');
  return content;
}

function unquote(line: string, number: number): string {
  if (!line.startsWith(quote))
    throw new ScenarioError(number, `every line of a quoted section begins with ${quote}`);
  return line.slice(quote.length);
}
