import { isTautology, matcherStrength } from './assertion-strength.ts';
import { closing, endOfBlock, lineCounter, maskScript, splitArguments } from './mask-code.ts';
import { scriptBindings } from './rebound-names.ts';
import { conditionsAt, endOfStatement, type Guard, guardsIn } from './script-guards.ts';
import { type Helper, helperCalls, helpersIn, type Range } from './script-helpers.ts';
import { type Assertion, spelled, type TestCase, type TestFile } from './test-case.ts';

/** `it.skip.each([…])('title', …)`: a word of a test framework, its modifiers, and the bracket of its arguments. */
const opening =
  /(?<![\w$])(?<receiver>(?:[\w$]{1,40}\s{0,9}\.\s{0,9}){0,3})(?<word>it|test|specify|describe|suite|context|fit|xit|xtest|xspecify|fdescribe|xdescribe|xcontext)(?<chain>(?:\s{0,99}\.\s{0,99}[\w$]{1,40}){0,6})\s*(?=[(`<])/g;
const suiteWord = /^[fx]?(describe|suite|context)$/;
const modifiers =
  /^(skip|only|todo|fixme|failing|fails|skipIf|runIf|concurrent|sequential|parallel|serial|each|for|describe|shuffle|slow|if)$/;
const receivers = /^(t|tap|ctx|Deno|QUnit|vitest|jest|globalThis|nodeTest)?\s*\.?\s*$/;

interface Block {
  readonly isSuite: boolean;
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly never: string;
  readonly sometimes: string;
  readonly focused: boolean;
  readonly rows: number | null;
  readonly args: readonly string[];
}

export function readJavaScriptTests(path: string, text: string): TestFile {
  const masked = maskScript(text);
  const lineAt = lineCounter(text);
  const blocks = firstOf(blocksOf(text, masked), mostTests + 1);
  if (blocks.length > mostTests)
    return { cases: [], skippedBy: '', unreadable: `more than ${mostTests} tests` };
  const tests = blocks.filter(({ isSuite }) => !isSuite);
  const guards = guardsIn(text, masked);
  if (guards.length > mostTests)
    return { cases: [], skippedBy: '', unreadable: `more than ${mostTests} conditions` };
  let known: Helper[] | undefined;
  const helpers = () => {
    known ??= helpersIn(masked, tests, (from, to) => [
      ...assertionsOf(text.slice(from, to), masked.slice(from, to)),
    ]);
    return known;
  };
  const cases = tests.map((block): TestCase => {
    const around = blocks.filter(
      ({ isSuite, start, end }) => isSuite && start < block.start && block.end < end,
    );
    const all = [...around, block];
    const never = all.find((each) => each.never !== '')?.never ?? '';
    const [condition] = all.flatMap(({ start }) => conditionsAt(text, masked, guards, start));
    const sometimes =
      all.find((each) => each.sometimes !== '')?.sometimes ??
      (condition === undefined ? innerSkip(masked, block) : `if (${condition})`);
    const inner = tests.filter(({ start, end }) => block.start < start && end < block.end);
    return lazyCase(
      {
        id: all.map(({ title }) => title).join(' > '),
        line: lineAt(block.start),
        runs: never !== '' ? 'never' : sometimes !== '' ? 'sometimes' : 'always',
        skippedBy: never || sometimes,
        focused: all.some(({ focused }) => focused),
        source: text.slice(block.start, block.end),
        rows: block.rows,
        ...patience(block.args),
      },
      () => [
        ...assertionsIn(text, masked, [block], inner, guards, lineAt),
        ...helperCalls(text, masked, block, helpers(), lineAt),
      ],
    );
  });
  const outer = tests.filter(
    (block) => !tests.some(({ start, end }) => start < block.start && block.end < end),
  );
  const gaps = gapsBetween(outer, text.length);
  const outside = lazyCase(
    {
      ...{ id: '', line: 1, runs: 'always', skippedBy: '', focused: false, rows: null },
      source: gaps.map(({ start, end }) => text.slice(start, end)).join('\n'),
      ...filePatience(masked, text),
    },
    () => assertionsIn(text, masked, gaps, [], guards, lineAt),
  );
  const hidden = gaps.map(({ start, end }) => masked.slice(start, end)).join('\n');
  return {
    cases: [...cases, outside],
    skippedBy: skippingHook.exec(hidden)?.[1] ?? '',
    bindings: scriptBindings(path, text, masked),
  };
}

/** A hook that skips whatever comes. */
const skippingHook = /\b(before(?:Each|All)?)\s*\([^;]{0,200}?\.skip\s*(?:\?\.\s*)?\(/;

/** More than anybody writes by hand. */
const mostTests = 2000;

function firstOf<T>(all: Iterable<T>, most: number): T[] {
  const found: T[] = [];
  for (const each of all) {
    found.push(each);
    if (found.length === most) break;
  }
  return found;
}

/** Assertions are looked for only where it turns out that the text has changed. */
function lazyCase(told: Omit<TestCase, 'assertions'>, find: () => Assertion[]): TestCase {
  let found: Assertion[] | undefined;
  return {
    ...told,
    get assertions() {
      found ??= find();
      return found;
    },
  };
}

function gapsBetween(blocks: readonly Range[], length: number): Range[] {
  const starts = [0, ...blocks.map(({ end }) => end)];
  return starts.map((start, index) => ({ start, end: blocks[index]?.start ?? length }));
}

/** What these parts of the text assert, without what stands in tests of their own or never counts. */
function assertionsIn(
  text: string,
  masked: string,
  parts: readonly Range[],
  except: readonly Range[],
  guards: readonly Guard[],
  lineAt: (offset: number) => number,
): Assertion[] {
  return parts.flatMap(({ start, end }) => {
    const shown = masked.slice(start, end);
    const dead = deadRanges(shown);
    const inside = guards.filter(({ from }) => from >= start && from < end);
    return [...assertionsOf(text.slice(start, end), shown)].flatMap(({ at, ...assertion }) => {
      const place = start + at;
      if (except.some((inner) => place >= inner.start && place < inner.end)) return [];
      if (dead.some(([from, to]) => at > from && at < to)) return [];
      return [{ ...assertion, guards: conditionsAt(text, masked, inside, place), line: lineAt(place) }];
    });
  });
}

function* blocksOf(text: string, masked: string): Iterable<Block> {
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
    // A call with no title is something else of the same name: `suite()`, `it.next()`.
    if (title === undefined || (args.length === 1 && !words.includes('todo') && !/^["'`]/.test(title)))
      continue;
    const full = [word, ...words].join('.');
    yield {
      isSuite,
      title: spelled(title).replace(/^"(.*)"$/, '$1'),
      start: match.index,
      end: call.end,
      never: neverRuns(word, words, args) ? full : '',
      sometimes: words.some((each) => /^(skipIf|runIf|if)$/.test(each)) ? full : '',
      focused: /^f/.test(word) || words.includes('only'),
      rows: call.table === null ? null : rowsOf(text.slice(...call.table), masked.slice(...call.table)),
      args,
    };
  }
}

/** Title, options and whatever stands last; a long body between them is passed over. */
function argumentsOf(text: string, masked: string, from: number, to: number): string[] {
  const head = Math.min(to, from + longestHead);
  const first = splitArguments(text.slice(from, head), masked.slice(from, head));
  const tail =
    head === to ? undefined : /,\s*([\d_]+)\s*,?\s*$/.exec(masked.slice(Math.max(head, to - 60), to))?.[1];
  return tail === undefined ? first : [...first, tail];
}

const longestHead = 1000;

function neverRuns(word: string, words: readonly string[], args: readonly string[]): boolean {
  if (/^x/.test(word) || words.some((each) => /^(skip|todo|fixme|failing|fails)$/.test(each))) return true;
  return args.some((argument) => /^\{/.test(argument) && /\b(skip|todo)\s*:\s*(true|["'`])/.test(argument));
}

/** The arguments of the test itself: behind `.each([…])` or `.skipIf(…)` stands a second pair of brackets. */
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
  const inner = /^\s*\[([\s\S]*)\]\s*(as const)?\s*,?\s*$/.exec(masked);
  if (!inner) return null;
  const from = masked.indexOf('[') + 1;
  const to = from + (inner[1] ?? '').length;
  return splitArguments(text.slice(from, to), masked.slice(from, to)).length;
}

/** `t.skip()`, `this.skip()`, `test.skip(condition)` in the body. */
function innerSkip(masked: string, { start, end }: Block): string {
  return (
    /\b(t|this|ctx|context|test|it)\.(skip|fixme)\s*(?:\?\.\s*)?\(/
      .exec(masked.slice(start + 1, end))?.[0]
      .slice(0, -1) ?? ''
  );
}

function patience(args: readonly string[]): { timeoutMs: number | null; retries: number } {
  const options = args.find((argument) => /^\{/.test(argument)) ?? '';
  const last = args.at(-1) ?? '';
  const ms = /^[\d_]+$/.test(last) ? last : /\btimeout\s*:\s*([\d_]+)/.exec(options)?.[1];
  const retries = /\bretr(?:y|ies)\s*:\s*(\d+)/.exec(options)?.[1];
  return {
    timeoutMs: ms === undefined ? null : Number(ms.replaceAll('_', '')),
    retries: Number(retries ?? 0),
  };
}

function filePatience(masked: string, text: string): { timeoutMs: number | null; retries: number } {
  const number = (pattern: RegExp) => {
    const found = pattern.exec(masked);
    return found
      ? /[\d_]+/.exec(text.slice(found.index + found[0].length))?.[0].replaceAll('_', '')
      : undefined;
  };
  const ms = number(/\b(setTimeout|timeout|testTimeout)\s*[(:]\s*(?=[\d_]+\s*[),}])/);
  const isForTests = /\b(jest|test|this|vi|mocha)\b[^;\n]*\b(setTimeout|timeout|testTimeout)\s*[(:]/.test(
    masked,
  );
  const retries = number(/\bretryTimes\s*\(\s*/);
  return { timeoutMs: isForTests && ms ? Number(ms) : null, retries: Number(retries ?? 0) };
}

const assertionStart =
  /(?<![\w$.])(?:(expect)(?:\.(?:soft|poll))?\s*\(|(?:(assert)|(?:t|tap|chai|node)\.(assert)|(t))\s*\.\s*([\w$]+)\s*\(|(assert[\w$]*|strictEqual|deepStrictEqual|deepEqual|notStrictEqual|throws|rejects)\s*\(|([\w$.()[\]]{1,80})\.should\b)/g;
/** What `t.` offers besides assertions. */
const notAnAssertion =
  /^(test|skip|todo|plan|end|log|comment|pass|teardown|after|before|afterEach|beforeEach|context|mock|diagnostic|timeout|name|step|subtest|runOnly|title|signal)$/;

function* assertionsOf(text: string, masked: string): Iterable<Omit<Assertion, 'line'> & { at: number }> {
  for (const match of masked.matchAll(assertionStart)) {
    const { index: at } = match;
    const [, isExpect, , , , member, free, should] = match;
    if (member !== undefined && notAnAssertion.test(member)) continue;
    if (isExpect === undefined && should === undefined) {
      yield callAssertion(text, masked, at, at + match[0].length - 1, member ?? free ?? 'assert');
      continue;
    }
    const open = at + match[0].length - 1;
    const behind = isExpect === undefined ? at + match[0].length : closing(masked, open);
    const subject = spelled(isExpect === undefined ? (should ?? '') : text.slice(open + 1, behind - 1));
    const chain = readChain(text, masked, behind);
    const negated = chain.words.includes('not') || chain.words.includes('never');
    const isAwaited = /\b(await|return|=>)\s*$/.test(masked.slice(Math.max(0, at - 10), at));
    const isPromise = chain.words.some((word) => word === 'resolves' || word === 'rejects');
    const isSwallowed = chain.words.includes('catch') || chain.matcher === '' || (isPromise && !isAwaited);
    const strength = isTautology(subject, chain.args)
      ? 0
      : isSwallowed
        ? 1
        : matcherStrength(chain.matcher, chain.args, negated);
    const demand = spelled(text.slice(behind, chain.end));
    yield { at, subject, demand, text: spelled(text.slice(at, chain.end)), strength };
  }
}

function callAssertion(text: string, masked: string, at: number, open: number, name: string) {
  const end = closing(masked, open);
  const [subject = '', ...args] = splitArguments(
    text.slice(open + 1, end - 1),
    masked.slice(open + 1, end - 1),
  ).map(spelled);
  const isPlain = name === 'assert' || name === 'ok';
  const compared = isPlain ? /(?<![=!<>])(===?)(?!=)/.test(subject) : false;
  const tautology = isPlain ? isTautology(subject, []) : isTautology(subject, args.slice(0, 1));
  const strength = tautology ? (0 as const) : compared ? (4 as const) : matcherStrength(name, args, false);
  return {
    at,
    subject: compared ? (subject.split(/===?/)[0] ?? '') : subject,
    text: spelled(text.slice(at, end)),
    strength,
  };
}

/** `.not.toEqual(…)`, `.to.be.true`, `.resolves.toBe(…)`. */
function readChain(text: string, masked: string, from: number) {
  const words: string[] = [];
  let args: string[] = [];
  let matcher = '';
  let at = from;
  for (;;) {
    const step = /^\s*\??\.\s*([\w$]+)\s*/.exec(masked.slice(at, at + 200));
    if (!step) break;
    const word = step[1] ?? '';
    words.push(word);
    at += step[0].length;
    if (masked[at] === '(') {
      const end = closing(masked, at);
      if (word !== 'catch' && word !== 'then') {
        matcher = word;
        args = splitArguments(text.slice(at + 1, end - 1), masked.slice(at + 1, end - 1)).map(spelled);
      }
      at = end;
    } else if (
      !/^(to|be|been|is|that|which|and|has|have|with|at|of|same|but|does|still|also|not|deep|resolves|rejects|soft)$/.test(
        word,
      )
    )
      matcher = word;
  }
  return { words, args, matcher, end: at };
}

/** What is written and never counts: behind a bare `return`, in `if (false)`, in a `try` whose failure nobody hears of. */
function deadRanges(masked: string): [number, number][] {
  const dead: [number, number][] = [];
  for (const { index, 0: all } of masked.matchAll(/\bif\s*\(\s*(false|0|!1|!true|null|undefined)\s*\)\s*/g)) {
    const at = index + all.length;
    dead.push([at, masked[at] === '{' ? closing(masked, at) : endOfStatement(masked, at)]);
  }
  for (const { index, 0: all } of masked.matchAll(/[;{}]\s*return\s*(?=;|\}|\n)/g))
    dead.push([index + all.length, endOfBlock(masked, index + all.length)]);
  for (const { index } of masked.matchAll(/\btry\s*(?=\{)/g)) {
    const open = masked.indexOf('{', index);
    const end = closing(masked, open);
    const caught = /^\s*catch\s*(\([^)]*\))?\s*(?=\{)/.exec(masked.slice(end, end + 300));
    if (!caught) continue;
    const from = end + caught[0].length;
    const handler = masked.slice(from, closing(masked, from));
    if (!/\b(throw|expect|assert\w*|fail|reject|done|next|should|t\.\w+)\b/.test(handler))
      dead.push([open, end]);
  }
  return dead;
}
