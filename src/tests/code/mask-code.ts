import { tokenize } from '#code/lex/tokens.ts';

/** How comments and strings are written. */
export type CodeStyle = 'c' | 'go' | 'rust' | 'python' | 'ruby';

const styles: Record<CodeStyle, RegExp> = {
  c: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?/g,
  go: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`[^`]*`?/g,
  // A single quote alone is a lifetime.
  rust: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|r(#*)"[\s\S]*?(?:"\1|$)|"(?:\\[\s\S]|[^"\\])*"?|'(?:\\[^\n]{1,10}?|[^'\\\n])'/g,
  python:
    /#[^\n]*|'''[\s\S]*?(?:'''|$)|"""[\s\S]*?(?:"""|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?/g,
  ruby: /#[^\n]*|"(?:\\[\s\S]|[^"\\])*"?|'(?:\\[\s\S]|[^'\\])*'?/g,
};

/** Scripts contain regular expressions and templates with code inside, which only the tokenizer can separate. */
export function maskScript(text: string): string {
  const { count, start, end } = tokenize(text);
  let masked = '';
  let at = 0;
  let kept = 0;
  const hide = (from: number, to: number) => {
    masked += text.slice(kept, from) + blank(text.slice(from, to));
    kept = to;
  };
  for (let index = 0; index <= count; index++) {
    const from = index < count ? (start[index] as number) : text.length;
    if (from > at && !isBlank(text, at, from)) hide(at, from);
    if (index === count) break;
    at = end[index] as number;
    if (at - from > 2 && textStart.includes(text[from] as string)) hide(from + 1, at - 1);
  }
  return masked + text.slice(kept);
}

/** First characters of a string, a template or a regular expression; a template continues after the `}` of its code. */
const textStart = '"\'`/}';

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 9 && code !== 13) return false;
  }
  return true;
}

function blank(text: string): string {
  return text.includes('\n')
    ? text.replace(/[^\n]+/g, (line) => ' '.repeat(line.length))
    : ' '.repeat(text.length);
}

/** The same text with comments and string contents blanked out: offsets and lines stay the same. */
export function maskCode(text: string, style: CodeStyle): string {
  return text.replace(styles[style], (piece) => {
    const isComment = /^(\/\/|\/\*|#)/.test(piece);
    return piece.replace(/[^\n]/g, (character, at: number) =>
      !isComment && (at === 0 || at === piece.length - 1) ? character : ' ',
    );
  });
}

/** Brackets of one text, found once and used for every query. */
interface Brackets {
  /** Their offsets in order; the other arrays have one entry for each of them. */
  readonly at: readonly number[];
  /** Offset after the closing bracket; 0 for a closing bracket and for one that is never closed. */
  readonly ends: readonly number[];
  /** The innermost bracket, and curly bracket, that is open after it; -1 if there is none. */
  readonly inside: readonly number[];
  readonly around: readonly number[];
}

/** Two files are compared at a time, each with several parts. */
const mostRecent = 8;
const recent = new Map<string, Brackets>();

function bracketsOf(masked: string): Brackets {
  const known = recent.get(masked);
  if (known) return known;
  const found = findBrackets(masked);
  const [oldest] = recent.keys();
  if (recent.size >= mostRecent && oldest !== undefined) recent.delete(oldest);
  recent.set(masked, found);
  return found;
}

function findBrackets(masked: string): Brackets {
  const at: number[] = [];
  const ends: number[] = [];
  const inside: number[] = [];
  const around: number[] = [];
  const open: number[] = [];
  const curly: number[] = [];
  const bracket = /[([{)\]}]/g;
  while (bracket.test(masked)) {
    const offset = bracket.lastIndex - 1;
    const code = masked.charCodeAt(offset);
    const index = at.push(offset) - 1;
    ends.push(0);
    if (code === 40 || code === 91 || code === 123) {
      open.push(index);
      if (code === 123) curly.push(index);
    } else {
      const opened = open.pop();
      if (opened !== undefined) ends[opened] = offset + 1;
      if (opened !== undefined && curly.at(-1) === opened) curly.pop();
    }
    inside.push(at[open.at(-1) ?? -1] ?? -1);
    around.push(at[curly.at(-1) ?? -1] ?? -1);
  }
  return { at, ends, inside, around };
}

/** How many of them come before an offset. */
function countBefore(at: readonly number[], offset: number): number {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Offset after the bracket that closes the one at `open`; the end of the text if none does. */
export function closing(masked: string, open: number): number {
  const { at, ends } = bracketsOf(masked);
  const index = countBefore(at, open);
  return (at[index] === open && ends[index]) || masked.length;
}

/** Offset of the innermost bracket that is open at an offset, for a closing one its own; -1 if there is none. */
export function bracketAround(masked: string, offset: number): number {
  const { at, inside } = bracketsOf(masked);
  return inside[countBefore(at, offset) - 1] ?? -1;
}

/** Offset of the bracket that closes the block around an offset; the end of the text if none does. */
export function endOfBlock(masked: string, offset: number): number {
  const { at, around } = bracketsOf(masked);
  const open = around[countBefore(at, offset) - 1] ?? -1;
  return open < 0 ? masked.length : closing(masked, open) - 1;
}

/**
 * For an offset, the next offset that is an end, skipping what is inside brackets; else the end of the text. Computed for
 * all offsets at once: many starts in a row share one end, which would otherwise be searched again and again.
 */
export function endsIn(
  masked: string,
  isEnd: (character: string, at: number) => boolean,
): (start: number) => number {
  let ends: Int32Array | undefined;
  return (start) => {
    ends ??= findEnds(masked, isEnd);
    return ends[start] ?? masked.length;
  };
}

function findEnds(masked: string, isEnd: (character: string, at: number) => boolean): Int32Array {
  const ends = new Int32Array(masked.length + 1).fill(masked.length);
  for (let at = masked.length - 1; at >= 0; at--) {
    const character = masked[at] ?? '';
    if ('([{'.includes(character)) ends[at] = ends[closing(masked, at)] as number;
    else ends[at] = isEnd(character, at) ? at : (ends[at + 1] as number);
  }
  return ends;
}

/** Line numbers of offsets, in any order. */
export function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** Longer argument lists are cut here: the rest counts as one argument. */
const longestArguments = 3000;

/** The texts between commas at the bracket level of `inner`. */
export function splitArguments(text: string, masked: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  const length = Math.min(masked.length, longestArguments);
  for (let at = 0; at < length; at++) {
    const character = masked[at];
    if (character === '(' || character === '[' || character === '{') depth++;
    else if (character === ')' || character === ']' || character === '}') depth--;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  const last = text.slice(start);
  if (last.trim() !== '') parts.push(last);
  return parts.map((part) => part.trim());
}
