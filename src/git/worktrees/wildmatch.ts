/**
 * Patterns of `.gitignore` as git reads them (`**` crosses folders; `*`, `?` and sets match within one). Names and patterns are bytes, held
 * as latin1. Each byte of a name is compared once per position in the pattern, so that no pattern, however hostile, takes long.
 */
export function compilePattern(pattern: string, isCaseFolded: boolean): (name: string) => boolean {
  const fold = (text: string) => foldedName(text, isCaseFolded);
  if (isPlain(pattern)) {
    const whole = fold(pattern);
    return (name) => fold(name) === whole;
  }
  const ending = fold(pattern.slice(1));
  if (pattern.startsWith('*') && !special.test(ending) && !ending.includes('/'))
    return (name) => fold(name).endsWith(ending) && !name.slice(0, name.length - ending.length).includes('/');
  const parts = readParts(pattern, isCaseFolded);
  return parts === null ? () => false : (name) => run(parts, fold(name));
}

/** It matches itself only. */
export function isPlain(pattern: string): boolean {
  return !special.test(pattern);
}

export function foldedName(name: string, isCaseFolded: boolean): string {
  return isCaseFolded ? lowerCase(name) : name;
}

const special = /[*?[\\]/;
const slash = 47;

/** One element of a pattern. */
type Part =
  | { readonly is: 'one'; readonly of: (byte: number) => boolean }
  /** Any number of bytes within one path segment. */
  | { readonly is: 'star' }
  /** Any number of bytes, slashes included. */
  | { readonly is: 'deep' }
  /** `**` with the slash after it becomes these two: `bypass` matches no folder at all, `folders` matches any number of them. */
  | { readonly is: 'bypass' }
  | { readonly is: 'folders' };

/** ASCII alone, as git folds case. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Null for a pattern that matches nothing: an unterminated set or escape. */
function readParts(pattern: string, isCaseFolded: boolean): Part[] | null {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; ) {
    const letter = pattern[at] ?? '';
    if (letter === '*') {
      const [found, next] = readStars(pattern, at);
      parts.push(...found);
      at = next;
    } else if (letter === '[') {
      const set = readSet(pattern, at, isCaseFolded);
      if (set === null) return null;
      parts.push({ is: 'one', of: (byte) => byte !== slash && set.has(byte) });
      at = set.end;
    } else if (letter === '?') {
      parts.push({ is: 'one', of: (byte) => byte !== slash });
      at += 1;
    } else {
      const literal = letter === '\\' ? at + 1 : at;
      if (literal >= pattern.length) return null;
      // Git folds the case of neither escaped letters nor sets.
      const isFolded = isCaseFolded && literal === at;
      const wanted = isFolded ? lowerCase(letter).charCodeAt(0) : pattern.charCodeAt(literal);
      parts.push({ is: 'one', of: (byte) => byte === wanted });
      at = literal + 1;
    }
  }
  return parts;
}

function readStars(pattern: string, at: number): [Part[], number] {
  let end = at;
  while (pattern[end] === '*') end += 1;
  // Git compares the text before the first special character separately, so `**` right after it counts as being at the start.
  const isBehindSlash = at === pattern.search(special) || pattern[at - 1] === '/';
  if (end - at === 1 || !isBehindSlash) return [[{ is: 'star' }], end];
  if (pattern[end] === '/') return [[{ is: 'bypass' }, { is: 'folders' }], end + 1];
  const isWholeName = end === pattern.length || pattern.startsWith('\\/', end);
  return [[{ is: isWholeName ? 'deep' : 'star' }], end];
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what the class stands for
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

interface ByteSet {
  has(byte: number): boolean;
  readonly end: number;
}

/** Reads a set from its `[`. Null when it is unterminated or has a class that git does not know. */
function readSet(pattern: string, start: number, isCaseFolded: boolean): ByteSet | null {
  const bytes = new Set<number>();
  const add = (test: RegExp) => {
    for (let byte = 0; byte < 256; byte++) if (test.test(String.fromCharCode(byte))) bytes.add(byte);
  };
  let at = start + 1;
  const isNegated = pattern[at] === '!' || pattern[at] === '^';
  if (isNegated) at += 1;
  let previous: number | null = null;
  for (let isFirst = true; ; isFirst = false) {
    const letter = pattern[at];
    if (letter === undefined) return null;
    if (letter === ']' && !isFirst) break;
    const named = letter === '[' ? /^\[:([^\]]*):\]/.exec(pattern.slice(at)) : null;
    if (letter === '-' && previous !== null && (pattern[at + 1] ?? ']') !== ']') {
      at += pattern[at + 1] === '\\' ? 2 : 1;
      if (at >= pattern.length) return null;
      for (let byte: number = previous; byte <= pattern.charCodeAt(at); byte++) {
        bytes.add(byte);
        if (isCaseFolded) bytes.add(lowerCase(String.fromCharCode(byte)).charCodeAt(0));
      }
      previous = null;
      at += 1;
    } else if (named) {
      const test = classes[named[1] ?? ''];
      if (!test) return null;
      add(isCaseFolded && named[1] === 'upper' ? /[a-z]/ : test);
      previous = null;
      at += named[0].length;
    } else {
      if (letter === '\\') at += 1;
      if (at >= pattern.length) return null;
      previous = pattern.charCodeAt(at);
      bytes.add(previous);
      at += 1;
    }
  }
  return { has: (byte) => bytes.has(byte) !== isNegated, end: at + 1 };
}

/** Tracks all positions in the pattern that the bytes so far can have reached, one byte after the other. */
function run(parts: readonly Part[], name: string): boolean {
  let places = reach(parts, new Set([0]));
  for (let at = 0; at < name.length && places.size > 0; at++) {
    const byte = name.charCodeAt(at);
    const next = new Set<number>();
    for (const place of places) {
      const part = parts[place];
      switch (part?.is) {
        case 'one':
          if (part.of(byte)) next.add(place + 1);
          break;
        case 'star':
          if (byte !== slash) next.add(place);
          break;
        case 'deep':
          next.add(place);
          break;
        case 'folders':
          next.add(place);
          if (byte === slash) next.add(place + 1);
          break;
        default:
          break;
      }
    }
    places = reach(parts, next);
  }
  return places.has(parts.length);
}

/** Adds the positions that are reachable without consuming a byte. Iterating a Set also visits elements added during the loop. */
function reach(parts: readonly Part[], places: Set<number>): Set<number> {
  for (const place of places) {
    const is = parts[place]?.is;
    if (is === 'star' || is === 'deep' || is === 'bypass') places.add(place + 1);
    if (is === 'bypass') places.add(place + 2);
  }
  return places;
}
