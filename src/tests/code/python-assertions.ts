import { isTautology, matcherStrength } from './assertion-strength.ts';
import { closing, maskCode, splitArguments } from './mask-code.ts';
import { bodyOf, type Statement } from './python-statements.ts';
import { type Assertion, type Strength, spelled } from './test-case.ts';

/** Assertions that count: not after a `return`, in `if False:`, or where their failure is swallowed or expected. */
export function assertionsIn(statements: readonly Statement[]): Assertion[] {
  const found: Assertion[] = [];
  const guards: { indent: number; isAround: boolean; condition: string }[] = [];
  for (let index = 0; index < statements.length; index++) {
    const statement = statements[index] as Statement;
    const { masked, indent } = statement;
    while (guards.some((guard) => isOver(guard, indent))) {
      guards.splice(
        guards.findIndex((guard) => isOver(guard, indent)),
        1,
      );
    }
    if (expectsAnything.test(masked)) found.push(...assertionOf(statement));
    if (
      /^(if\s+(False|0|not True)\s*:|with\s+(contextlib\.)?suppress\b)/.test(masked) ||
      expectsAnything.test(masked) ||
      isSwallowed(statements, index)
    ) {
      index += bodyOf(statements, index).length;
      continue;
    }
    if (/^return\s*$/.test(masked) && indent === statements[0]?.indent) break;
    const condition = conditionOf(statement);
    if (condition !== null) {
      const body = [statement, ...bodyOf(statements, index)];
      const isLeft = body.some((each) => /(^|:\s*)(return|continue|break)\b/.test(each.masked));
      if (isLeft) guards.push({ indent, isAround: false, condition: `not ${condition}` });
      guards.push({ indent, isAround: true, condition });
    }
    found.push(
      ...assertionOf(statement).map((each) => ({ ...each, guards: guards.map((guard) => guard.condition) })),
    );
  }
  return found;
}

/** A context that expects any failure, including a failing assertion. */
const expectsAnything =
  /^(async\s+)?with\s+(pytest\.raises|self\.assertRaises)\s*\(\s*(?:\(\s*)?(AssertionError|(Base)?Exception)\b/;

/** After an `if` that returns, the condition applies until its block ends; inside an `if`, until the `if` ends. */
function isOver({ indent, isAround }: { indent: number; isAround: boolean }, at: number): boolean {
  return isAround ? at <= indent : at < indent;
}

function conditionOf({ text, masked }: Statement): string | null {
  const head = /^(?:el)?if\b/.exec(masked)?.[0];
  if (head === undefined) return /^else\s*:/.test(masked) ? 'else' : null;
  const colon = topLevel(masked, /:/)?.[0] ?? masked.length;
  return spelled(text.slice(head.length, colon));
}

function isSwallowed(statements: readonly Statement[], index: number): boolean {
  const head = statements[index] as Statement;
  if (!/^try\s*:/.test(head.masked)) return false;
  const handler = index + 1 + bodyOf(statements, index).length;
  const caught = statements[handler];
  if (!caught || caught.indent !== head.indent) return false;
  if (!/^except(?:\s+\(?(?:Exception|BaseException|AssertionError)\b.*|\s*):/.test(caught.masked))
    return false;
  const rest = caught.masked.replace(/^except[^:]*:/, '').trim();
  const body = [rest, ...bodyOf(statements, handler).map(({ masked }) => masked)];
  return !body.some((line) => /\b(raise|assert\w*|fail)\b/.test(line));
}

const call =
  /(?<![\w.])((?:self|cls)\.(?:assert\w+|fail)|pytest\.(?:raises|warns)|[\w.]{1,99}\.assert_\w+)\s*\(/;

function assertionOf({ text, masked, line }: Statement): Assertion[] {
  if (/^assert\b/.test(masked)) return [plainAssertion(text, masked, line)];
  const match = call.exec(masked);
  if (!match) return [];
  const open = match.index + match[0].length - 1;
  const end = closing(masked, open);
  const name = (match[1] ?? '').split('.').at(-1) ?? '';
  const inner = [text.slice(open + 1, end - 1), masked.slice(open + 1, end - 1)] as const;
  const [subject = '', ...args] = splitArguments(...inner).map(spelled);
  const isBroad = /^(raises|assertRaises)$/.test(name) && /^(Base)?Exception\b/.test(subject);
  const isExactRaise = name === 'raises' && args.some((argument) => argument.startsWith('match='));
  const strength: Strength = isTautology(subject, args.slice(0, 1))
    ? 0
    : isBroad
      ? 2
      : isExactRaise
        ? 4
        : matcherStrength(name, args, false);
  const owner = /\.assert_/.test(match[1] ?? '') ? (match[1] ?? '').replace(/\.assert_\w+$/, '') : subject;
  return [{ subject: owner, text: spelled(text.slice(match.index, end)), strength, line }];
}

/** `assert left == right, "message"`. */
function plainAssertion(text: string, masked: string, line: number): Assertion {
  const at = 'assert'.length;
  const [condition = ''] = splitArguments(text.slice(at), masked.slice(at));
  const shown = maskCode(condition, 'python');
  const comparison = topLevel(shown, /(?<![=!<>])==(?!=)|\bis\b(?!\s+not\b)/);
  const [left = '', right = ''] = comparison
    ? [condition.slice(0, comparison[0]), condition.slice(comparison[1])].map(spelled)
    : [spelled(condition)];
  return {
    subject: left,
    text: spelled(`assert ${condition}`),
    strength: strengthOf(shown, left, right),
    line,
  };
}

function strengthOf(shown: string, left: string, right: string): Strength {
  if (/\bor\s+(True|1)\s*$/.test(shown) || isTautology(left, right === '' ? [] : [right])) return 0;
  if (/\bmock\.ANY\b|(?<!\w)ANY$/.test(right)) return 2;
  if (topLevel(shown, /\bor\b/)) return 2;
  if (right !== '') return 4;
  if (/\bis\s+not\s+None\b|!=/.test(shown)) return 2;
  return /<|>|\bin\b|\bisinstance\(|\bre\.(match|search)|startswith|endswith|\ball\(/.test(shown) ? 3 : 2;
}

/** Where a pattern matches outside brackets. */
function topLevel(masked: string, pattern: RegExp): [number, number] | null {
  let depth = 0;
  const flat = masked.replace(/[\s\S]/g, (character) => {
    if (/[([{]/.test(character)) depth++;
    const shown = depth === 0 ? character : '_';
    if (/[)\]}]/.test(character)) depth--;
    return shown;
  });
  const found = pattern.exec(flat);
  return found ? [found.index, found.index + found[0].length] : null;
}
