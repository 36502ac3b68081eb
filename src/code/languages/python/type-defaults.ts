/**
 * Python 3.13 allows a default for a type parameter, `class A[T = int]`, which the grammar rejects. Blanking it lets the rest of the file
 * be parsed, with all offsets unchanged. Null when there is none.
 */
export function withoutTypeDefaults(text: string): string | null {
  let result = '';
  let copied = 0;
  for (const { index, 0: header } of text.matchAll(/\b(?:class|def|type)[ \t]+\w+[ \t]*\[/gu)) {
    const start = index + header.length;
    if (start < copied) continue;
    const { list, end } = blankDefaults(text, start);
    result += text.slice(copied, start) + list;
    copied = end;
  }
  result += text.slice(copied);
  return result === text ? null : result;
}

/** The type parameters from `start` on, with spaces for their defaults, and where they end. */
function blankDefaults(text: string, start: number): { list: string; end: number } {
  let list = '';
  let depth = 0;
  let inDefault = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '[' || char === '(') depth++;
    else if (char === ')' || (char === ']' && depth > 0)) depth--;
    else if (char === ']') return { list, end: at };
    else if (depth === 0 && char === '=') inDefault = true;
    else if (depth === 0 && char === ',') inDefault = false;
    list += inDefault && char !== '\n' ? ' ' : char;
  }
  return { list: text.slice(start), end: text.length };
}
