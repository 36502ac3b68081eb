import { escapePattern } from '#lib/escape-pattern.ts';
import { closing } from './mask-code.ts';
import { conditionsAt, guardsIn, statementEnds } from './script-guards.ts';
import { type Assertion, type Strength, spelled } from './test-case.ts';

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A function of a test file that asserts for the tests that call it. */
export interface Helper {
  readonly name: string;
  readonly strength: Strength;
  /** It calls the tested code itself; otherwise its caller must. */
  readonly isCalling: boolean;
}

const declaration =
  /(?<![\w$.])(?:function\s+(?<named>[\w$]+)\s*(?=\()|(?:const|let)\s+(?<arrow>[\w$]+)\s*=\s*(?:async\s*)?(?:\([^()]{0,300}\)|[\w$]+)\s*=>\s*)/g;

/** Helpers outside of tests; their conditional assertions do not count. */
export function helpersIn(
  masked: string,
  tests: readonly Range[],
  assertionsOf: (from: number, to: number) => readonly Pick<Assertion, 'subject' | 'strength'>[],
): Helper[] {
  const endOfStatement = statementEnds(masked);
  return [...masked.matchAll(declaration)]
    .slice(0, mostHelpers)
    .flatMap(({ index, 0: head, groups }): Helper[] => {
      if (tests.some(({ start, end }) => index >= start && index < end)) return [];
      const behind = index + head.length;
      const open = groups?.named === undefined ? behind : masked.indexOf('{', closing(masked, behind));
      const end = masked[open] === '{' ? closing(masked, open) : endOfStatement(open);
      const body = masked.slice(open, end);
      if (/\b(try|return\s*;)|&&|\|\|/.test(body) || guardsIn(body, body).length > 0) return [];
      const [strongest] = assertionsOf(open, end).toSorted((a, b) => b.strength - a.strength);
      if (!strongest || strongest.strength < 2) return [];
      const name = groups?.named ?? groups?.arrow ?? '';
      return [{ name, strength: strongest.strength, isCalling: /\w\(/.test(strongest.subject) }];
    });
}

const mostHelpers = 50;

/** Calls of helpers in a test: each asserts what the helper asserts. */
export function helperCalls(
  text: string,
  masked: string,
  { start, end }: Range,
  helpers: readonly Helper[],
  lineAt: (offset: number) => number,
): Assertion[] {
  if (helpers.length === 0) return [];
  const shown = masked.slice(start, end);
  const inside = text.slice(start, end);
  const guards = guardsIn(inside, shown);
  return helpers.flatMap(({ name, strength, isCalling }) =>
    [...shown.matchAll(new RegExp(`(?<![\\w$.])${escapePattern(name)}\\s*\\(`, 'g'))].flatMap(
      ({ index, 0: head }): Assertion[] => {
        const open = index + head.length - 1;
        const called = inside.slice(index, closing(shown, open));
        const subject = spelled(called.slice(head.length, -1));
        if (!isCalling && !/\w\(/.test(subject)) return [];
        const conditions = conditionsAt(inside, shown, guards, index);
        return [
          { subject, text: spelled(called), strength, guards: conditions, line: lineAt(start + index) },
        ];
      },
    ),
  );
}
