/**
 * Git paths are bytes. Valid UTF-8 becomes ordinary text; any other byte becomes a lone surrogate U+DC80–U+DCFF,
 * so that every path has exactly one string and can be turned back.
 */
export function decodePath(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('�') || Buffer.from(text, 'utf8').equals(bytes)) return text;
  let path = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    path += length ? bytes.toString('utf8', at, at + length) : String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at += length || 1;
  }
  return path;
}

/** Length of the valid UTF-8 sequence at an offset, 0 when there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const slice = bytes.subarray(at, at + length);
  return Buffer.from(slice.toString('utf8'), 'utf8').equals(slice) ? length : 0;
}

/** The bytes that a path was decoded from. */
export function encodePath(path: string): Buffer {
  if (path.isWellFormed()) return Buffer.from(path, 'utf8');
  return Buffer.concat(
    [...path].map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(letter, 'utf8');
    }),
  );
}
