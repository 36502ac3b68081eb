import { tokenize } from '../../code/tokens.ts';

/** How comments and strings are written. */
export type CodeStyle = 'c' | 'go' | 'rust' | 'python' | 'ruby';

const styles: Record<CodeStyle, RegExp> = {
  c: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?/g,
  go: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`[^`]*`?/g,
  // A lone quote is a lifetime.
  rust: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|r(#*)"[\s\S]*?(?:"\1|$)|"(?:\\[\s\S]|[^"\\])*"?|'(?:\\[^\n]{1,10}?|[^'\\\n])'/g,
  python:
    /#[^\n]*|'''[\s\S]*?(?:'''|$)|"""[\s\S]*?(?:"""|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?/g,
  ruby: /#[^\n]*|"(?:\\[\s\S]|[^"\\])*"?|'(?:\\[\s\S]|[^'\\])*'?/g,
};

/** Scripts have regular expressions and templates with code in them: the tokenizer tells those apart. */
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

/** What a string, a template or a regular expression begins with; a template goes on behind the bracket of its code. */
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

/** The same text with comments and the inside of strings blanked out: offsets and lines stay as they are. */
export function maskCode(text: string, style: CodeStyle): string {
  return text.replace(styles[style], (piece) => {
    const isComment = /^(\/\/|\/\*|#)/.test(piece);
    return piece.replace(/[^\n]/g, (character, at: number) =>
      !isComment && (at === 0 || at === piece.length - 1) ? character : ' ',
    );
  });
}

/** Brackets of one text: found once, whatever number of questions follow. */
interface Brackets {
  /** For each opening bracket the offset just behind the one that closes it. */
  readonly ends: Int32Array;
  /** For each offset the innermost open curly bracket before it; -1 where there is none. */
  readonly around: Int32Array;
  /** The same for brackets of any kind. */
  readonly inside: Int32Array;
}

/** Two files are compared at a time, each with parts of its own. */
const mostRecent = 8;
const recent = new Map<string, Brackets>();

function bracketsOf(masked: string): Brackets {
  const known = recent.get(masked);
  if (known) return known;
  const ends = new Int32Array(masked.length);
  const around = new Int32Array(masked.length + 1).fill(-1);
  const inside = new Int32Array(masked.length + 1).fill(-1);
  const open: number[] = [];
  const curly: number[] = [];
  let from = 0;
  for (const { index: at, 0: bracket } of masked.matchAll(/[([{)\]}]/g)) {
    // The offset of a bracket itself counts as outside of it.
    around.fill(curly.at(-1) ?? -1, from, at + 1);
    inside.fill(open.at(-1) ?? -1, from, at + 1);
    from = at + 1;
    if (bracket === '(' || bracket === '[' || bracket === '{') {
      open.push(at);
      if (bracket === '{') curly.push(at);
    } else {
      const start = open.pop();
      if (start === undefined) continue;
      ends[start] = at + 1;
      if (curly.at(-1) === start) curly.pop();
    }
  }
  around.fill(curly.at(-1) ?? -1, from, masked.length);
  inside.fill(open.at(-1) ?? -1, from, masked.length);
  const found = { ends, around, inside };
  const [oldest] = recent.keys();
  if (recent.size >= mostRecent && oldest !== undefined) recent.delete(oldest);
  recent.set(masked, found);
  return found;
}

/** Offset just behind the bracket that closes the one at `open`; the end of the text when nothing does. */
export function closing(masked: string, open: number): number {
  return bracketsOf(masked).ends[open] || masked.length;
}

/** Offset of the innermost bracket that is open at an offset, for a closing one its own; -1 where there is none. */
export function bracketAround(masked: string, at: number): number {
  return bracketsOf(masked).inside[at] ?? -1;
}

/** Offset of the bracket that closes the block around an offset; the end of the text when nothing does. */
export function endOfBlock(masked: string, at: number): number {
  const open = bracketsOf(masked).around[at] ?? -1;
  return open < 0 ? masked.length : closing(masked, open) - 1;
}

/** Line numbers of offsets that are asked for in any order. */
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

/** Arguments are looked at so far: the rest of a longer list counts as one. */
const longestArguments = 3000;

/** Texts between commas on the level of the brackets that `inner` stands in. */
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
