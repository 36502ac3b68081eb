const pairs: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' };

/** The text between an opening bracket at `from` and its partner, ignoring brackets in quotes; null when it is unclosed. */
export function within(text: string, from: number): string | null {
  const end = partnerOf(text, from);
  return end < 0 ? null : text.slice(from + 1, end);
}

function partnerOf(text: string, from: number): number {
  const open: string[] = [];
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"' || char === "'" || char === '`') {
      at = endOfQuote(text, at);
      continue;
    }
    const partner = pairs[char];
    if (partner !== undefined) open.push(partner);
    else if (char === open.at(-1)) {
      open.pop();
      if (open.length === 0) return at;
    }
  }
  return -1;
}

function endOfQuote(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

/** The elements of a list at its outermost level, each with the line on which it starts. */
export function partsOf(text: string, firstLine: number): { readonly text: string; readonly line: number }[] {
  const parts: { text: string; line: number }[] = [];
  let start = 0;
  let line = firstLine;
  const take = (end: number) => {
    const raw = text.slice(start, end);
    const lead = raw.length - raw.trimStart().length;
    const part = raw.trim();
    if (part !== '') parts.push({ text: part, line: line + count(raw.slice(0, lead)) });
    line += count(raw);
    start = end + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"' || char === "'" || char === '`') at = endOfQuote(text, at);
    else if (pairs[char] !== undefined) {
      const end = partnerOf(text, at);
      at = end < 0 ? text.length : end;
    } else if (char === ',') take(at);
  }
  take(text.length);
  return parts;
}

function count(text: string): number {
  return text.split('\n').length - 1;
}
