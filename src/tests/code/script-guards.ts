import { closing, endOfBlock, endsIn } from './mask-code.ts';
import { spelled } from './test-case.ts';

export interface Guard {
  readonly from: number;
  readonly to: number;
  /** The condition, as written. */
  readonly condition: string;
}

/** More than people write by hand; beyond this, more guards add no information. */
export const mostGuards = 2000;

/** Ranges that run only on a condition: in an `if`, in its `else`, and after an `if` that returns. */
export function guardsIn(text: string, masked: string): Guard[] {
  const guards: Guard[] = [];
  const endOfStatement = statementEnds(masked);
  for (const { index, 0: head } of masked.matchAll(/(?<![\w$.])if\s*\(/g)) {
    if (guards.length > mostGuards) break;
    const open = index + head.length - 1;
    const behind = closing(masked, open);
    const condition = spelled(text.slice(open + 1, behind - 1));
    const body = behind + (/^\s*/.exec(masked.slice(behind, behind + 200))?.[0].length ?? 0);
    const end = masked[body] === '{' ? closing(masked, body) : endOfStatement(body);
    guards.push({ from: body, to: end, condition });
    if (/^\{?\s*(return|continue|break)\b/.test(masked.slice(body, body + 50)))
      guards.push({ from: end, to: endOfBlock(masked, index), condition: `not ${condition}` });
    const other = /^[;\s]*else\s*(?!if\b)/.exec(masked.slice(end, end + 200))?.[0];
    if (other === undefined) continue;
    const at = end + other.length;
    const to = masked[at] === '{' ? closing(masked, at) : endOfStatement(at);
    guards.push({ from: at, to, condition: `not ${condition}` });
  }
  return guards;
}

/** Conditions around a place. */
export function conditionsAt(text: string, masked: string, guards: readonly Guard[], at: number): string[] {
  const around = guards.filter(({ from, to }) => from <= at && at < to).map(({ condition }) => condition);
  if (!/(?:&&|\|\||\?)\s*(?:await\s+)?$/.test(masked.slice(Math.max(0, at - 12), at))) return around;
  const line = masked.slice(Math.max(0, at - 200), at);
  const before = /(?:^|[;{}\n(])([^;{}\n]{0,300}?)(?:&&|\|\||\?)\s{0,200}(?:await\s{1,200})?$/.exec(
    line,
  )?.[1];
  if (before === undefined || before.trim() === '') return around;
  const from = at - line.length + line.lastIndexOf(before);
  return [...around, spelled(text.slice(from, from + before.length))];
}

/** A statement ends with a semicolon, its block, or a line that is not continued. */
export function statementEnds(masked: string): (start: number) => number {
  return endsIn(
    masked,
    (character, at) =>
      character === ';' ||
      character === '}' ||
      (character === '\n' && !/^\s*([.?:&|+*/,=)\]-]|else\b)/.test(masked.slice(at, at + 100))),
  );
}
