/** Single tokens: which characters they are made of, where they end, and what they hash to. */

export const LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;
export const SPACE = 32;
export const SLASH = 47;
export const BACKSLASH = 92;
const BRACKET_OPEN = 91;
const BRACKET_CLOSE = 93;

export const WORD = 1;
export const BLANK = 2;
export const QUOTE = 3;
export const OPEN = 4;
export const CLOSE = 5;

/** What each character is part of. */
export const classes = new Uint8Array(1 << 16).fill(WORD, 128);
for (const blank of [0xa0, 0xfeff, 0x2028, 0x2029, 0x3000]) classes[blank] = BLANK;
classes.fill(BLANK, 0x2000, 0x200b);
for (let c = 0; c < 128; c++) {
  const char = String.fromCharCode(c);
  if (/[\w$]/.test(char)) classes[c] = WORD;
  else if (c <= SPACE) classes[c] = BLANK;
  else if (char === '"' || char === "'") classes[c] = QUOTE;
  else if ('([{'.includes(char)) classes[c] = OPEN;
  else if (')]}'.includes(char)) classes[c] = CLOSE;
}

/** Keeps the hashes of literals apart from those of words. */
export const LITERAL = 0x2f0b4c11;

/** The hash of an identifier or keyword token. */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return finish(hash);
}

/** The hash of text that is one token as it stands. */
export function hashText(codes: Uint16Array, start: number, end: number): number {
  let hash = LITERAL;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (codes[i] as number), 0x01000193);
  return finish(hash);
}

/** Spreads the bits of a multiplicative hash; never 0, which marks ignored tokens. */
export function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) | 0 || 1;
}

/** Where the regular expression that starts at `start` ends, or -1 when it does not before `length`. */
export function endOfRegularExpression(codes: Uint16Array, start: number, length: number): number {
  let inClass = false;
  for (let at = start + 1; at < length; at++) {
    const code = codes[at];
    if (code === LINE_FEED) return -1;
    if (code === BACKSLASH) at++;
    else if (code === BRACKET_OPEN) inClass = true;
    else if (code === BRACKET_CLOSE) inClass = false;
    else if (code === SLASH && !inClass) {
      let end = at + 1;
      while ((codes[end] as number) < 128 && classes[codes[end] as number] === WORD) end++;
      return end;
    }
  }
  return -1;
}
