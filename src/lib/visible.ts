/**
 * Characters that must never be printed raw: controls, invisible format characters (bidirectional overrides among them), line separators,
 * lone surrogates.
 */
export const unprintable = /[[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]--[\u200c\u200d]]/gv;

const named = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Text from a repository, safe to print: characters that a terminal would execute or a reader could not see become escapes. */
export function visible(text: string): string {
  return text.replace(unprintable, (character) => named.get(character) ?? escapeOf(character));
}

/** Bytes of a path that are not UTF-8 arrive as U+DC80–U+DCFF and are shown as the original byte. */
function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const byte = code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : code;
  return byte <= 0xff ? `\\x${byte.toString(16).padStart(2, '0')}` : `\\u{${byte.toString(16)}}`;
}

/** For places with one line: white space becomes single spaces. */
export function visibleLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim());
}

/** For places with several lines: line breaks stay. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
