/** Single tokens: their characters, where they end, and their hash. */

export const lineFeed = 10;
export const carriageReturn = 13;
export const spaceCode = 32;
export const slash = 47;
export const backslash = 92;
const bracketOpen = 91;
const bracketClose = 93;

export const wordClass = 1;
export const blankClass = 2;
export const quoteClass = 3;
export const openClass = 4;
export const closeClass = 5;

/** The class of each character. */
export const classes = new Uint8Array(1 << 16).fill(wordClass, 128);
for (const blank of [0xa0, 0xfeff, 0x2028, 0x2029, 0x3000]) classes[blank] = blankClass;
classes.fill(blankClass, 0x2000, 0x200b);
for (let c = 0; c < 128; c++) {
  const char = String.fromCharCode(c);
  if (/[\w$]/.test(char)) classes[c] = wordClass;
  else if (c <= spaceCode) classes[c] = blankClass;
  else if (char === '"' || char === "'") classes[c] = quoteClass;
  else if ('([{'.includes(char)) classes[c] = openClass;
  else if (')]}'.includes(char)) classes[c] = closeClass;
}

/** Keeps the hashes of literals apart from those of words. */
export const literal = 0x2f0b4c11;

/** The hash of an identifier or keyword token. */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return finish(hash);
}

/** The hash of text that is one token as written. */
export function hashText(codes: Uint16Array, start: number, end: number): number {
  let hash = literal;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (codes[i] as number), 0x01000193);
  return finish(hash);
}

/** Spreads the bits of a multiplicative hash; never 0, which marks ignored tokens. */
export function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) | 0 || 1;
}

/** The end of the regular expression that starts at `start`, or -1 when it is not closed before `length`. */
export function endOfRegularExpression(codes: Uint16Array, start: number, length: number): number {
  let inClass = false;
  for (let at = start + 1; at < length; at++) {
    const code = codes[at];
    if (code === lineFeed) return -1;
    if (code === backslash) at++;
    else if (code === bracketOpen) inClass = true;
    else if (code === bracketClose) inClass = false;
    else if (code === slash && !inClass) {
      let end = at + 1;
      while ((codes[end] as number) < 128 && classes[codes[end] as number] === wordClass) end++;
      return end;
    }
  }
  return -1;
}
