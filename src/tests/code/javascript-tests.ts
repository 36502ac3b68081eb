import { lineCounter, maskScript } from './mask-code.ts';
import { scriptBindings } from './rebound-names.ts';
import { assertionsOf, behindReturns, deadRanges } from './script-assertions.ts';
import { type Block, blocksOf, filePatience, innerSkip, patience } from './script-blocks.ts';
import { conditionsAt, type Guard, guardsIn, mostGuards } from './script-guards.ts';
import { type Helper, helperCalls, helpersIn, type Range } from './script-helpers.ts';
import { type IdlePart, idleParts, mostFunctions } from './script-idle.ts';
import type { Assertion, TestCase, TestFile } from './test-case.ts';

/** More than people write by hand. */
const mostTests = 2000;

export function readJavaScriptTests(path: string, text: string): TestFile {
  const masked = maskScript(text);
  const blocks = blocksOf(text, masked, mostTests + 1);
  if (blocks.length > mostTests)
    return { cases: [], skippedBy: '', unreadable: `more than ${mostTests} tests` };
  const guards = guardsIn(text, masked);
  if (guards.length > mostGuards)
    return { cases: [], skippedBy: '', unreadable: `more than ${mostGuards} conditions` };
  const uncalled = idleParts(masked, blocks);
  if (uncalled === null)
    return { cases: [], skippedBy: '', unreadable: `more than ${mostFunctions} functions` };
  const tests = blocks.filter(({ isSuite }) => !isSuite);
  const idle = [...uncalled, ...unreached(masked)];
  const script = openScript(text, masked, tests, guards);
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
    () => gaps.flatMap((gap) => script.assertions(gap)),
  );
  const hidden = gaps.map(({ start, end }) => masked.slice(start, end)).join('\n');
  const bindings = once(() => scriptBindings(path, text, masked, tests));
  return {
    cases: [...tests.map((block) => caseOf(block, blocks, idle, script)), outside],
    skippedBy: skippingHook.exec(hidden)?.[1] ?? '',
    get bindings() {
      return bindings();
    },
  };
}

/** A hook that skips tests unconditionally. */
const skippingHook = /\b(before(?:Each|All)?)\s*\([^;]{0,200}?\.skip\s*(?:\?\.\s*)?\(/;

interface Script {
  readonly text: string;
  readonly masked: string;
  readonly guards: readonly Guard[];
  lineAt(offset: number): number;
  /** Assertions in a part of the text, without those that never count. */
  assertions(part: Range): Assertion[];
  /** The same for a test: without nested tests, with the helpers it calls. */
  assertionsOfTest(test: Block): Assertion[];
}

/** Most tests of a file are unchanged, so the expensive parts are computed on demand. */
function openScript(text: string, masked: string, tests: readonly Block[], guards: readonly Guard[]): Script {
  const lineAt = lineCounter(text);
  const dead = once(() => deadRanges(masked));
  const helpers = once((): readonly Helper[] =>
    helpersIn(masked, tests, (from, to) => [...assertionsOf(text, masked, from, to)]),
  );
  const assertions = ({ start, end }: Range): Assertion[] => {
    const inside = guards.filter(({ from }) => from >= start && from < end);
    return [...assertionsOf(text, masked, start, end)].flatMap(({ at, ...assertion }) => {
      if (dead().some(([from, to]) => from >= start && at > from && at < to)) return [];
      return [{ ...assertion, guards: conditionsAt(text, masked, inside, at), line: lineAt(at) }];
    });
  };
  return {
    ...{ text, masked, guards, lineAt, assertions },
    assertionsOfTest(block) {
      const inner = tests.filter(({ start, end }) => block.start < start && end < block.end);
      return [
        ...gapsBetween(inner, block.end, block.start).flatMap(assertions),
        ...helperCalls(text, masked, block, helpers(), lineAt),
      ];
    },
  };
}

function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

function unreached(masked: string): IdlePart[] {
  return behindReturns(masked).map(([from, to]) => ({ from, to, offeredAs: null, why: 'return' }));
}

function caseOf(block: Block, blocks: readonly Block[], idle: readonly IdlePart[], script: Script): TestCase {
  const { text, masked, guards } = script;
  const around = blocks.filter(
    ({ isSuite, start, end }) => isSuite && start < block.start && block.end < end,
  );
  const all = [...around, block];
  const parts = idle.filter(({ from, to }) => from <= block.start && block.start < to);
  const never =
    all.find((each) => each.never !== '')?.never ??
    parts.find(({ offeredAs }) => offeredAs === null)?.why ??
    '';
  const offeredAs = parts.find((part) => part.offeredAs !== null)?.offeredAs;
  const [condition] = all.flatMap(({ start }) => conditionsAt(text, masked, guards, start));
  const sometimes =
    all.find((each) => each.sometimes !== '')?.sometimes ??
    (condition === undefined ? innerSkip(masked, block) : `if (${condition})`);
  return lazyCase(
    {
      id: all.map(({ title }) => title).join(' > '),
      line: script.lineAt(block.start),
      runs: never !== '' ? 'never' : sometimes !== '' ? 'sometimes' : 'always',
      skippedBy: never || sometimes,
      focused: all.some(({ focused }) => focused),
      source: text.slice(block.start, block.end),
      rows: block.rows,
      ...(offeredAs ? { offeredAs } : {}),
      ...patience(block.args),
    },
    () => script.assertionsOfTest(block),
  );
}

function lazyCase(told: Omit<TestCase, 'assertions'>, find: () => Assertion[]): TestCase {
  const assertions = once(find);
  return {
    ...told,
    get assertions() {
      return assertions();
    },
  };
}

/** The ranges before, between and after consecutive blocks; a nested block lies inside the one before it. */
function gapsBetween(blocks: readonly Range[], length: number, from = 0): Range[] {
  const gaps: Range[] = [];
  let start = from;
  for (const block of blocks) {
    if (block.start >= start) gaps.push({ start, end: block.start });
    start = Math.max(start, block.end);
  }
  return [...gaps, { start, end: length }];
}
