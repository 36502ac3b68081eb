export interface SqlText {
  /** Without its terminator. */
  readonly text: string;
  readonly start: number;
}

/** Splits a script into statements with their offsets. Bodies of triggers and routines stay whole. */
export function splitStatements(text: string): SqlText[] {
  const found: SqlText[] = [];
  let [start, end, isBody] = [0, ';', false];
  const keep = (until: number) => {
    const own = text.slice(start, until);
    if (withoutComments(own).trim() !== '') found.push({ text: own, start });
  };
  for (let at = 0; at < text.length; ) {
    if (at === start) {
      const [whole = '', word] = commandAt(text, at);
      if (word !== undefined) {
        end = word;
        start = at += whole.length;
        continue;
      }
      isBody = false;
    }
    const quiet = endOfQuiet(text, at);
    if (quiet !== null) at = quiet;
    else if (!text.startsWith(end, at)) at++;
    else {
      isBody ||= beginsBody(text.slice(start, Math.min(at, start + longestHead)));
      const isInside = isBody && !/\bEND\s*$/i.test(text.slice(Math.max(start, at - 20), at));
      if (!isInside) {
        keep(at);
        start = at + end.length;
      }
      at += end.length;
    }
  }
  keep(text.length);
  return found;
}

/** Most characters before the first semicolon of a routine's body. */
const longestHead = 2000;

/** `DELIMITER //` at the start of a statement. */
function commandAt(text: string, at: number): readonly (string | undefined)[] {
  const command = /\s*DELIMITER[ \t]+(\S+)[^\n]*/iy;
  command.lastIndex = at;
  return command.exec(text) ?? [];
}

/** `CREATE TRIGGER … BEGIN …;` continues until its `END`. */
function beginsBody(head: string): boolean {
  return (
    /^\s*CREATE\b[^;]{0,200}?\b(?:TRIGGER|PROCEDURE|FUNCTION|EVENT)\b/i.test(head) && /\bBEGIN\b/i.test(head)
  );
}

/** The end of a comment, string or quoted name that starts here; null when none does. An unterminated one extends to the end. */
function endOfQuiet(text: string, at: number): number | null {
  const after = (mark: string, from: number) => {
    const found = text.indexOf(mark, from);
    return found === -1 ? text.length : found + mark.length;
  };
  const [letter, next] = [text[at], text[at + 1]];
  if (letter === '#' || (letter === '-' && next === '-')) return after('\n', at);
  if (letter === '/' && next === '*') return after('*/', at + 2);
  if (letter === '`') return after('`', at + 1);
  if (letter !== "'" && letter !== '"') return null;
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end++;
    else if (text[end] === letter) {
      if (text[end + 1] !== letter) return end + 1;
      end++;
    }
  }
  return text.length;
}

/** Replaces comments by spaces, so that offsets stay. What MySQL executes from comments are only settings. */
export function withoutComments(text: string): string {
  let [plain, kept] = ['', 0];
  for (let at = 0; at < text.length; ) {
    const end = endOfQuiet(text, at);
    if (end !== null && /^(?:--|#|\/\*)/.test(text.slice(at, at + 2))) {
      plain += text.slice(kept, at) + text.slice(at, end).replace(/[^\n]/g, ' ');
      kept = end;
    }
    at = end ?? at + 1;
  }
  return plain + text.slice(kept);
}
