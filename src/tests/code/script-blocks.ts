import { closing, splitArguments } from './mask-code.ts';
import { spelled } from './test-case.ts';

/** `it.skip.each([…])('title', …)`: the name of a test function, its modifiers, and the opening bracket of its arguments. */
const opening =
  /(?<![\w$])(?<receiver>(?:[\w$]{1,40}\s{0,9}\.\s{0,9}){0,3})(?<word>it|test|specify|describe|suite|context|fit|xit|xtest|xspecify|fdescribe|xdescribe|xcontext)(?<chain>(?:\s{0,99}\.\s{0,99}[\w$]{1,40}){0,6})\s*(?=[(`<])/g;
const suiteWord = /^[fx]?(describe|suite|context)$/;
const modifiers =
  /^(skip|only|todo|fixme|failing|fails|skipIf|runIf|concurrent|sequential|parallel|serial|each|for|describe|shuffle|slow|if)$/;
const receivers = /^(t|tap|ctx|Deno|QUnit|vitest|jest|globalThis|nodeTest)?\s{0,200}\.?\s{0,200}$/;

/** The call of a suite or a test. */
export interface Block {
  readonly isSuite: boolean;
  readonly title: string;
  readonly start: number;
  readonly end: number;
  /** Offset of the opening bracket of its arguments. */
  readonly open: number;
  readonly never: string;
  readonly sometimes: string;
  readonly focused: boolean;
  readonly rows: number | null;
  readonly args: readonly string[];
}

/** The first `most` of them. */
export function blocksOf(text: string, masked: string, most: number): Block[] {
  const found: Block[] = [];
  for (const block of allBlocks(text, masked)) {
    found.push(block);
    if (found.length === most) break;
  }
  return found;
}

function* allBlocks(text: string, masked: string): Iterable<Block> {
  for (const match of masked.matchAll(opening)) {
    const { word = '', chain = '', receiver = '' } = match.groups ?? {};
    const words = chain
      .split('.')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    if (!receivers.test(receiver) || words.some((each) => !modifiers.test(each))) continue;
    if (/\b(function|class|new)\s+$/.test(masked.slice(Math.max(0, match.index - 12), match.index))) continue;
    const call = callOf(masked, match.index + match[0].length);
    if (!call) continue;
    const args = argumentsOf(text, masked, call.open + 1, call.end - 1);
    const isSuite = suiteWord.test(word) || words.includes('describe');
    const [title] = args;
    // A call without a title is another function of the same name: `suite()`, `it.next()`.
    if (title === undefined || (args.length === 1 && !words.includes('todo') && !/^["'`]/.test(title)))
      continue;
    const full = [word, ...words].join('.');
    yield {
      isSuite,
      title: spelled(title).replace(/^"(.*)"$/, '$1'),
      start: match.index,
      end: call.end,
      open: call.open,
      never: neverRuns(word, words, args) ? full : '',
      sometimes: words.some((each) => /^(skipIf|runIf|if)$/.test(each)) ? full : '',
      focused: /^f/.test(word) || words.includes('only'),
      rows: call.table === null ? null : rowsOf(text.slice(...call.table), masked.slice(...call.table)),
      args,
    };
  }
}

/** Title, options and the last argument; a long body between them is skipped. */
function argumentsOf(text: string, masked: string, from: number, to: number): string[] {
  const head = Math.min(to, from + longestHead);
  const first = splitArguments(text.slice(from, head), masked.slice(from, head));
  const tail =
    head === to
      ? undefined
      : /,\s*([\d_]+)\s*(?:,\s*)?$/.exec(masked.slice(Math.max(head, to - 60), to))?.[1];
  return tail === undefined ? first : [...first, tail];
}

const longestHead = 1000;

function neverRuns(word: string, words: readonly string[], args: readonly string[]): boolean {
  if (/^x/.test(word) || words.some((each) => /^(skip|todo|fixme|failing|fails)$/.test(each))) return true;
  return args.some((argument) => /^\{/.test(argument) && /\b(skip|todo)\s*:\s*(true|["'`])/.test(argument));
}

/** The arguments of the test itself: after `.each([…])` or `.skipIf(…)` comes a second pair of brackets. */
function callOf(
  masked: string,
  at: number,
): { open: number; end: number; table: [number, number] | null } | null {
  let open = at;
  let table: [number, number] | null = null;
  if (masked[open] === '<') open = masked.indexOf('(', open);
  if (masked[open] === '`') {
    const end = endOfTemplate(masked, open);
    table = [open + 1, end - 1];
    open = skipSpace(masked, end);
  }
  if (open < 0 || masked[open] !== '(') return null;
  let end = closing(masked, open);
  const next = skipSpace(masked, end);
  if (masked[next] === '(') {
    table = [open + 1, end - 1];
    open = next;
    end = closing(masked, open);
  }
  return { open, end, table };
}

function endOfTemplate(masked: string, open: number): number {
  for (let at = open + 1; at < masked.length; at++) {
    if (masked[at] === '{') at = closing(masked, at) - 1;
    else if (masked[at] === '`') return at + 1;
  }
  return masked.length;
}

function skipSpace(masked: string, at: number): number {
  let next = at;
  while (/\s/.test(masked[next] ?? '')) next++;
  return next;
}

function rowsOf(text: string, masked: string): number | null {
  const inner = /^\s*\[([\s\S]*)\]\s*(?:as const\s*)?(?:,\s*)?$/.exec(masked);
  if (!inner) return null;
  const from = masked.indexOf('[') + 1;
  const to = from + (inner[1] ?? '').length;
  return splitArguments(text.slice(from, to), masked.slice(from, to)).length;
}

/** `t.skip()`, `this.skip()`, `test.skip(condition)` in the body. */
export function innerSkip(masked: string, { start, end }: Block): string {
  return (
    /\b(t|this|ctx|context|test|it)\.(skip|fixme)\s*(?:\?\.\s*)?\(/
      .exec(masked.slice(start + 1, end))?.[0]
      .slice(0, -1) ?? ''
  );
}

export function patience(args: readonly string[]): { timeoutMs: number | null; retries: number } {
  const options = args.find((argument) => /^\{/.test(argument)) ?? '';
  const last = args.at(-1) ?? '';
  const ms = /^[\d_]+$/.test(last) ? last : /\btimeout\s*:\s*([\d_]+)/.exec(options)?.[1];
  const retries = /\bretr(?:y|ies)\s*:\s*(\d+)/.exec(options)?.[1];
  return {
    timeoutMs: ms === undefined ? null : Number(ms.replaceAll('_', '')),
    retries: Number(retries ?? 0),
  };
}

export function filePatience(masked: string, text: string): { timeoutMs: number | null; retries: number } {
  const number = (pattern: RegExp) => {
    const found = pattern.exec(masked);
    return found
      ? /[\d_]+/.exec(text.slice(found.index + found[0].length))?.[0].replaceAll('_', '')
      : undefined;
  };
  const ms = number(/\b(setTimeout|timeout|testTimeout)\s*[(:]\s*(?=[\d_]+\s*[),}])/);
  const isForTests =
    /\b(jest|test|this|vi|mocha)\b[^;\n]{0,200}\b(setTimeout|timeout|testTimeout)\s{0,200}[(:]/.test(masked);
  const retries = number(/\bretryTimes\s*\(\s*/);
  return { timeoutMs: isForTests && ms ? Number(ms) : null, retries: Number(retries ?? 0) };
}
