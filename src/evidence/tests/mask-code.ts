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
  const pieces: string[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    const from = start[index] as number;
    const to = end[index] as number;
    pieces.push(blank(text.slice(at, from)), hideInside(text.slice(from, to)));
    at = to;
  }
  pieces.push(blank(text.slice(at)));
  return pieces.join('');
}

function hideInside(token: string): string {
  const isText = /^["'`/}]/.test(token) && token.length > 1;
  return isText ? `${token[0]}${blank(token.slice(1, -1))}${token.at(-1)}` : token;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
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

/** Offset just behind the bracket that closes the one at `open`; the end of the text when nothing does. */
export function closing(masked: string, open: number): number {
  let depth = 0;
  for (let at = open; at < masked.length; at++) {
    const character = masked[at];
    if (character === '(' || character === '[' || character === '{') depth++;
    else if (character === ')' || character === ']' || character === '}') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return masked.length;
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

/** Texts between commas on the level of the brackets that `inner` stands in. */
export function splitArguments(text: string, masked: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < masked.length; at++) {
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
