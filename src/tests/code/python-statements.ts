import { closing, maskCode } from './mask-code.ts';

export interface Statement {
  readonly indent: number;
  readonly text: string;
  readonly masked: string;
  readonly line: number;
}

/** Statements, joined over lines inside brackets and strings; blank lines and comments are skipped. */
export function statementsOf(text: string): Statement[] {
  const masked = maskCode(text, 'python');
  const statements: Statement[] = [];
  let line = 1;
  for (let at = 0; at < masked.length; ) {
    const end = endOfStatement(masked, at);
    const piece = masked.slice(at, end);
    const indent = piece.length - piece.trimStart().length;
    if (piece.trim() !== '') {
      const inner = piece.trim();
      const from = at + indent;
      const before = piece.slice(0, indent).split('\n').length - 1;
      statements.push({
        indent: piece.slice(0, indent).split('\n').at(-1)?.length ?? 0,
        text: text.slice(from, from + inner.length),
        masked: inner,
        line: line + before,
      });
    }
    line += masked.slice(at, end + 1).split('\n').length - 1;
    at = end + 1;
  }
  return statements;
}

function endOfStatement(masked: string, start: number): number {
  for (let at = start; at < masked.length; at++) {
    const character = masked[at];
    if (character === '(' || character === '[' || character === '{') at = closing(masked, at) - 1;
    // The content of a multi-line string is blanked, but its line ends remain between the quotes.
    else if (character === '"' || character === "'") at = endOfString(masked, at);
    else if (character === '\n' && masked[at - 1] !== '\\') return at;
  }
  return masked.length;
}

function endOfString(masked: string, at: number): number {
  const end = masked.indexOf(masked[at] as string, at + 1);
  return end < 0 ? masked.length : end;
}

export function bodyOf(statements: readonly Statement[], head: number): Statement[] {
  const indent = statements[head]?.indent ?? 0;
  const body: Statement[] = [];
  for (let index = head + 1; index < statements.length; index++) {
    const statement = statements[index] as Statement;
    if (statement.indent <= indent) break;
    body.push(statement);
  }
  return body;
}
