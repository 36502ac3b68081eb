import { bracketAround, closing, endsIn } from './mask-code.ts';

export interface ScriptFunction {
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
  /** Name by which other code of the file can call it; empty if it has none. */
  readonly name: string;
  readonly isExported: boolean;
  readonly parameters: string;
}

const declared =
  /(?<![\w$.])(?:async\s{1,20})?function\s{0,20}\*?\s{0,20}(?<name>[\w$]{0,200})\s{0,20}(?=\()/g;
const method = /(?<![\w$.]|\b(?:function|new)\s{1,9})(?<name>[\w$]+)\s*(?=\()/g;
const notAMethod = /^(if|for|while|switch|catch|with|function|return|await|typeof|super)$/;
const arrow = /=>\s*/g;

export function allFunctions(masked: string): ScriptFunction[] {
  const found: ScriptFunction[] = [];
  // An expression ends where its brackets, its list or its statement end.
  const endOfExpression = endsIn(masked, (character) => ')]},;'.includes(character));
  for (const { index, 0: head, groups } of masked.matchAll(declared))
    found.push(...withBlock(masked, index, index + head.length, groups?.name ?? ''));
  for (const { index, 0: head, groups } of masked.matchAll(method)) {
    const name = groups?.name ?? '';
    if (!notAMethod.test(name)) found.push(...withBlock(masked, index, index + head.length, name));
  }
  for (const { index, 0: head } of masked.matchAll(arrow)) {
    const bodyStart = index + head.length;
    const end = masked[bodyStart] === '{' ? closing(masked, bodyStart) : endOfExpression(bodyStart);
    const start = startOfArrow(masked, index);
    found.push(named(masked, { start, bodyStart, end, name: '', parameters: masked.slice(start, index) }));
  }
  return found;
}

/** A function whose body is in curly brackets after its parameters and an optional type. */
function withBlock(masked: string, start: number, open: number, name: string): ScriptFunction[] {
  const behind = closing(masked, open);
  const type = /^\s*(?::[^={};()]{0,200})?(?=\{)/.exec(masked.slice(behind, behind + 300));
  if (!type) return [];
  const bodyStart = behind + type[0].length;
  const parameters = masked.slice(open, behind);
  return [named(masked, { start, bodyStart, end: closing(masked, bodyStart), name, parameters })];
}

/** `const name = `, `name: ` or `name = ` before a function gives it a name. */
function named(masked: string, told: Omit<ScriptFunction, 'isExported'>): ScriptFunction {
  const before = masked.slice(Math.max(0, told.start - 100), told.start);
  const given =
    /(?<![\w$])([\w$]+)\s{0,200}(?::[^=;{}]{0,100})?=\s{0,200}(?:async\s{0,200})?$|(?:[{,]\s{0,200})([\w$]{1,200})\s{0,200}:\s{0,200}$/.exec(
      before,
    );
  const isExported =
    /\bexport\s+(?:default\s+)?(?:(?:const|let|var)\s+[\w$][^;{}]{0,500}=\s*)?(?:async\s*)?$/.test(before);
  return { ...told, name: told.name || (given?.[1] ?? given?.[2] ?? ''), isExported };
}

function startOfArrow(masked: string, at: number): number {
  const before = masked.slice(Math.max(0, at - 200), at).trimEnd();
  const last = Math.max(0, at - 200) + before.length - 1;
  const type = before.endsWith(')') ? 0 : (/\)\s*:[^=;()]{0,100}$/.exec(before)?.[0].length ?? -1);
  const word = type < 0 ? (/[\w$]{1,100}$/.exec(before.slice(-100))?.[0].length ?? 1) : 0;
  const start = type < 0 ? last + 1 - word : bracketAround(masked, type === 0 ? last : last + 1 - type);
  const marked = /\basync\s{0,9}$/.exec(masked.slice(Math.max(0, start - 16), start));
  return marked ? start - marked[0].length : start;
}
