/**
 * Text from plans, agents and repositories as a person may safely see it: control and direction characters, which
 * could move the cursor, hide text or reprogram a terminal, become visible escapes. Line ends and tabs stay.
 */
export function visible(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** For places that have one line. */
export function visibleLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim());
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
const unsafe = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
