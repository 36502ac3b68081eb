/** The text is followed by this many zeros, so that looking ahead needs no check for the end. */
const zeros = 4;

/** Large enough for almost all texts: memory beyond a text is never touched. */
let codes = new Uint16Array(1 << 20);
let bytes = Buffer.from(codes.buffer);

/**
 * The UTF-16 units of a text as numbers: loops over them are several times faster than over a string. The array is reused: it is valid
 * until the next call.
 */
export function codesOf(text: string): Uint16Array {
  const { length } = text;
  if (length + zeros > codes.length) {
    codes = new Uint16Array(Math.max(codes.length * 2, length + zeros));
    bytes = Buffer.from(codes.buffer);
  }
  bytes.write(text, 0, 'utf16le');
  codes.fill(0, length, length + zeros);
  return codes;
}
