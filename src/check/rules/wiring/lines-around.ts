/**
 * The lines in which a word occurs, not as part of a longer one. They include the text before and after it, as far as white space and a
 * dotted name separate them: `from shop.mail` above `import send`. Searching these lines with an expression about the word gives the same
 * answer as searching the whole text, which takes much longer.
 */
export function linesAround(text: string, word: string): string[] {
  if (word === '') return [text];
  const parts: { from: number; to: number }[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    let end = at + word.length;
    if (isLonger(text, at) || isLonger(text, end)) continue;
    const last = parts.at(-1);
    const known = last?.to ?? 0;
    const start = startOf(text, at, known);
    while (space.test(text.charAt(end))) end++;
    if (!last || start > last.to) parts.push({ from: lineStart(text, start), to: lineEnd(text, end) });
    else if (end > last.to) last.to = lineEnd(text, end);
  }
  return parts.map(({ from, to }) => text.slice(from, to));
}

/** Letters on both sides of this place belong to one word. */
function isLonger(text: string, at: number): boolean {
  return letter.test(text.charAt(at - 1)) && letter.test(text.charAt(at));
}

const letter = /\w/;
const space = /\s/;
const dottedName = /[\w.]/;

/** `known`: where the part before ends. */
function startOf(text: string, at: number, known: number): number {
  let start = at;
  while (start > known && dottedName.test(text.charAt(start - 1))) start--;
  while (start > known && space.test(text.charAt(start - 1))) start--;
  return start;
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
