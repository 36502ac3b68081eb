import { bracketAround } from './mask-code.ts';
import type { Block } from './script-blocks.ts';
import { allFunctions, type ScriptFunction } from './script-functions.ts';

/** A part of a script that nothing in the file runs. */
export interface IdlePart {
  readonly from: number;
  readonly to: number;
  /** Exported under this name: another file may run it. Null if no other file can. */
  readonly offeredAs: string | null;
  readonly why: string;
}

/** Functions that call their argument after all tests were collected, or never. */
const tooLate =
  /(?:^|\.)(?:setTimeout|setImmediate|setInterval|queueMicrotask|nextTick|then|catch|finally|on|once|addEventListener|before(?:Each|All)?|after(?:Each|All)?)$/;
const overNothing = /\[\s*\]\s*\.\s*(?:forEach|map|flatMap|filter|some|every)$/;

/** More than people write by hand. */
export const mostFunctions = 2000;

/** Functions that are never called: tests in them never run. Null if there are too many functions to decide. */
export function idleParts(masked: string, blocks: readonly Block[]): IdlePart[] | null {
  const calls = new Set(blocks.map(({ open }) => open));
  if (blocks.every((block) => isPlain(masked, block, calls))) return [];
  const all = allFunctions(masked);
  if (all.length > mostFunctions) return null;
  const words = wordsOf(masked);
  const ignores = ignorers(masked, all, words);
  const functions = all.filter(({ start }) => !calls.has(bracketAround(masked, start)));
  let waiting = functions.flatMap((each): Suspect[] => {
    if (isCalledAtOnce(masked, each)) return [];
    const why =
      each.name === '' ? whyNotCalled(masked, each, ignores) : `function ${each.name} is never called`;
    return why === null ? [] : [{ each, why, uses: new Uses(masked, each, words) }];
  });
  const idle: IdlePart[] = [];
  const isIdle = new Uint8Array(masked.length);
  // A function that only an idle one calls is also idle.
  for (let known = -1; known < idle.length; ) {
    known = idle.length;
    waiting = waiting.filter(({ each, why, uses }) => {
      if (uses.hasAny((at) => isIdle[at] !== 1)) return true;
      isIdle.fill(1, each.start, each.end);
      idle.push({ from: each.start, to: each.end, offeredAs: each.isExported ? each.name : null, why });
      return false;
    });
  }
  return idle;
}

interface Suspect {
  readonly each: ScriptFunction;
  readonly why: string;
  readonly uses: Uses;
}

/** word → its offsets. */
type Words = ReadonlyMap<string, readonly number[]>;

function wordsOf(masked: string): Words {
  const words = new Map<string, number[]>();
  for (const { index, 0: word } of masked.matchAll(/[\w$]+/g)) {
    const places = words.get(word);
    if (places) places.push(index);
    else words.set(word, [index]);
  }
  return words;
}

/** At the top of the file or directly in a suite, as nearly all tests are. */
function isPlain(masked: string, { start }: Block, calls: ReadonlySet<number>): boolean {
  const open = bracketAround(masked, start);
  if (open < 0) return !/=>\s*$/.test(masked.slice(Math.max(0, start - 20), start));
  return calls.has(open) || (masked[open] === '{' && calls.has(bracketAround(masked, open)));
}

/** Why an anonymous function is not called. */
function whyNotCalled(
  masked: string,
  { start }: ScriptFunction,
  ignores: (name: string) => boolean,
): string | null {
  const open = bracketAround(masked, start);
  if (masked[open] !== '(') return null;
  const callee = /[^;{}=,\n]*$/.exec(masked.slice(Math.max(0, open - 100), open))?.[0].trim() ?? '';
  if (/^(void|[!+~-])?$/.test(callee)) return 'a function is never called';
  const word = /(?<![\w$.])[\w$.]*$/.exec(callee)?.[0] ?? '';
  if (tooLate.test(word) || overNothing.test(callee)) return `${word} calls it too late or never`;
  return ignores(word) ? `${word} does not call it` : null;
}

function isCalledAtOnce(masked: string, { end }: ScriptFunction): boolean {
  return /^\s{0,200}\)?\s{0,200}(?:\(|(?:\?\.|\.)\s{0,200}(?:call|apply|bind)?\s{0,200}\()/.test(
    masked.slice(end, end + 100),
  );
}

/** Uses of a function's name outside its declaration and its body. */
class Uses {
  readonly #places: readonly number[];
  readonly #from: number;
  readonly #to: number;
  /** Uses that are not ruled out yet: functions may share a name, and each use is examined once. */
  #left: number;

  constructor(masked: string, { name, start, end }: ScriptFunction, words: Words) {
    this.#places = words.get(name) ?? [];
    this.#from = declarationStart(masked, name, start);
    this.#to = end;
    this.#left = this.#places.length;
  }

  /** A use that does not count now will not count later either. */
  hasAny(counts: (at: number) => boolean): boolean {
    for (; this.#left > 0; this.#left--) {
      const at = this.#places[this.#left - 1] as number;
      if ((at < this.#from || at >= this.#to) && counts(at)) return true;
    }
    return false;
  }
}

/** Where `const name = ` starts, which is not a use of the name. */
function declarationStart(masked: string, name: string, start: number): number {
  const at = masked.lastIndexOf(name, start);
  return at >= 0 && start - at < 200 ? at : start;
}

/** Tells whether a function of this file takes a function and does nothing with it. */
function ignorers(masked: string, all: readonly ScriptFunction[], words: Words): (name: string) => boolean {
  const known = new Map<string, boolean>();
  const ignores = ({ parameters, bodyStart, end }: ScriptFunction) => {
    const isUsed = (at: number) => at >= bodyStart && at < end && masked[at - 1] !== '.';
    const names = new Set(parameters.match(/[\w$]+/g));
    return ![...names].some((name) => words.get(name)?.some(isUsed));
  };
  return (name) => {
    const taker = name === '' || known.has(name) ? undefined : all.find((each) => each.name === name);
    if (taker) known.set(name, ignores(taker));
    return known.get(name) ?? false;
  };
}
