import { bracketAround } from './mask-code.ts';
import type { Block } from './script-blocks.ts';
import { allFunctions, type ScriptFunction } from './script-functions.ts';

/** A part of a script that nothing runs as far as the file tells. */
export interface IdlePart {
  readonly from: number;
  readonly to: number;
  /** Exported by this name: somebody else may run it. Null when nobody can. */
  readonly offeredAs: string | null;
  readonly why: string;
}

/** What takes a function and calls it when tests have long been collected, or never. */
const tooLate =
  /(?:^|\.)(?:setTimeout|setImmediate|setInterval|queueMicrotask|nextTick|then|catch|finally|on|once|addEventListener|before(?:Each|All)?|after(?:Each|All)?)$/;
const overNothing = /\[\s*\]\s*\.\s*(?:forEach|map|flatMap|filter|some|every)$/;

/** More than anybody writes by hand. */
const mostFunctions = 300;

/** Functions that nobody calls: tests in them never run. */
export function idleParts(masked: string, blocks: readonly Block[]): IdlePart[] {
  const calls = new Set(blocks.map(({ open }) => open));
  if (blocks.every((block) => isPlain(masked, block, calls))) return [];
  const all = allFunctions(masked).slice(0, mostFunctions);
  const functions = all.filter(({ start }) => !calls.has(bracketAround(masked, start)));
  const idle = new Map<ScriptFunction, IdlePart>();
  // A function that only an idle one calls is idle itself.
  for (let known = -1; known < idle.size; ) {
    known = idle.size;
    for (const each of functions) {
      if (idle.has(each)) continue;
      const why = whyIdle(masked, each, all, [...idle.values()]);
      if (why === null) continue;
      const offeredAs = each.isExported ? each.name : null;
      idle.set(each, { from: each.start, to: each.end, offeredAs, why });
    }
  }
  return [...idle.values()];
}

/** At the top of the file or directly in a suite, as nearly all tests are. */
function isPlain(masked: string, { start }: Block, calls: ReadonlySet<number>): boolean {
  const open = bracketAround(masked, start);
  if (open < 0) return !/=>\s*$/.test(masked.slice(Math.max(0, start - 20), start));
  return calls.has(open) || (masked[open] === '{' && calls.has(bracketAround(masked, open)));
}

function whyIdle(
  masked: string,
  each: ScriptFunction,
  all: readonly ScriptFunction[],
  idle: readonly IdlePart[],
): string | null {
  if (isCalledAtOnce(masked, each)) return null;
  if (each.name !== '')
    return isNamedElsewhere(masked, each, idle) ? null : `function ${each.name} is never called`;
  const open = bracketAround(masked, each.start);
  if (masked[open] !== '(') return null;
  const callee = /[^;{}=,\n]*$/.exec(masked.slice(Math.max(0, open - 100), open))?.[0].trim() ?? '';
  if (/^(void|[!+~-])?$/.test(callee)) return 'a function is never called';
  const word = /[\w$.]*$/.exec(callee)?.[0] ?? '';
  if (tooLate.test(word) || overNothing.test(callee)) return `${word} calls it too late or never`;
  return ignoresItsCallback(masked, word, all) ? `${word} does not call it` : null;
}

function isCalledAtOnce(masked: string, { end }: ScriptFunction): boolean {
  return /^\s*\)?\s*(?:\(|(?:\?\.|\.)\s*(?:call|apply|bind)?\s*\()/.test(masked.slice(end, end + 100));
}

function isNamedElsewhere(
  masked: string,
  { name, start, end }: ScriptFunction,
  idle: readonly IdlePart[],
): boolean {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
  const declaration = declarationStart(masked, name, start);
  return [...masked.matchAll(word)].some(
    ({ index }) =>
      (index < declaration || index >= end) && !idle.some(({ from, to }) => index >= from && index < to),
  );
}

/** Where `const name = ` begins, which is no use of the name. */
function declarationStart(masked: string, name: string, start: number): number {
  const at = masked.lastIndexOf(name, start);
  return at >= 0 && start - at < 200 ? at : start;
}

/** A function of this file that takes a function and does nothing with it. */
function ignoresItsCallback(masked: string, word: string, all: readonly ScriptFunction[]): boolean {
  const taker = all.find(({ name }) => name !== '' && name === word);
  if (!taker) return false;
  const parameters = taker.parameters.match(/[\w$]+/g) ?? [];
  const body = masked.slice(taker.bodyStart, taker.end);
  return !parameters.some((each) => new RegExp(`(?<![\\w$.])${each.replaceAll('$', '\\$')}\\b`).test(body));
}
