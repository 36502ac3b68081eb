import { bracketAround, closing, endOfBlock } from './mask-code.ts';
import type { Range } from './script-helpers.ts';
import { type Assertion, spelled } from './test-case.ts';

interface Guard extends Range {
  /** The condition that must hold; null if the place is never reached. */
  readonly condition: string | null;
}

const failing =
  /\b(t\.(Error|Fatal|Fail)\w*|assert\w*!?|require\.\w+|XCT\w+|fail|Assert\.\w+|panic!?|throw)\b/;

/**
 * Assertions of a test in a curly-brace language, with the conditions they depend on: an `if` around them, or one before
 * them that leaves the test. An `if` that fails before it leaves is itself a check.
 */
export function guarded(
  text: string,
  masked: string,
  test: Range,
  assertions: readonly (Assertion & { readonly at: number })[],
): Assertion[] {
  const guards = assertions.length === 0 ? [] : guardsIn(text, masked, test);
  return assertions.flatMap(({ at, ...assertion }) => {
    const around = guards.filter(({ start, end }) => start <= at && at < end);
    if (around.some(({ condition }) => condition === null)) return [];
    const conditions = around.flatMap(({ condition }) => condition ?? []);
    return [conditions.length === 0 ? assertion : { ...assertion, guards: conditions }];
  });
}

function guardsIn(text: string, masked: string, { start, end }: Range): Guard[] {
  const body = masked.indexOf('{', start - 1);
  const shown = masked.slice(start, end);
  const guards: Guard[] = [];
  for (const { index, 0: head } of shown.matchAll(/(?<![\w$.])if\b\s*/g)) {
    const at = start + index;
    const block = blockOf(masked, at + head.length);
    if (block === null || block.end > end) continue;
    const condition = spelled(text.slice(at + head.length, block.start));
    const inside = masked.slice(block.start, block.end);
    // In Go, a check is an `if` that fails the test: its condition is the assertion.
    const isCheck = /^\{?\s*(t\.(Error|Fatal|Fail)|panic\b|throw\b)/.test(inside);
    if (!isCheck && !failsElse(masked, block.end)) guards.push({ ...block, condition });
    if (/\breturn\b/.test(inside) && !failing.test(inside))
      guards.push({ start: block.end, end: endOfBlock(masked, at), condition: `not ${condition}` });
  }
  for (const { index, 0: head } of shown.matchAll(/(?<=[;{}\n]\s*)return\b\s*(?=[;\n}])/g)) {
    const at = start + index;
    if (bracketAround(masked, at) === body)
      guards.push({ start: at + head.length, end: endOfBlock(masked, at), condition: null });
  }
  return guards;
}

/** `if let Some(x) = found { assert_eq!(x, 1) } else { panic!() }`. */
function failsElse(masked: string, at: number): boolean {
  const other = /^\s*else\s*(?=\{)/.exec(masked.slice(at, at + 50))?.[0];
  if (other === undefined) return false;
  const open = at + other.length;
  return failing.test(masked.slice(open, closing(masked, open)));
}

/** The block of an `if`: Go has no parentheses around the condition; elsewhere a single statement may follow it. */
function blockOf(masked: string, at: number): Range | null {
  const behind = masked[at] === '(' ? closing(masked, at) : at;
  const open = /^\s*(?=\{)/.exec(masked.slice(behind, behind + 200));
  if (open) return { start: behind + open[0].length, end: closing(masked, behind + open[0].length) };
  if (masked[at] === '(' && !/^\s*(&&|\|\||[=!<>.])/.test(masked.slice(behind, behind + 20))) {
    const stop = masked.indexOf(';', behind);
    return stop < 0 ? null : { start: behind, end: stop + 1 };
  }
  const line = masked.indexOf('\n', behind);
  const brace = masked.lastIndexOf('{', line < 0 ? masked.length : line);
  return brace > at ? { start: brace, end: closing(masked, brace) } : null;
}
