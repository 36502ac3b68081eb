import { isTautology, matcherStrength } from './assertion-strength.ts';
import { closing, maskCode, splitArguments } from './mask-code.ts';
import { pythonBindings } from './rebound-names.ts';
import { type Assertion, type Strength, spelled, type TestCase, type TestFile } from './test-case.ts';

interface Statement {
  readonly indent: number;
  readonly text: string;
  readonly masked: string;
  readonly line: number;
}

const skipMark = /^@.*\b(skip|xfail|expectedFailure|ignore)\b/;
const skipMarkSometimes = /^@.*\b(skipif|skipIf|skipUnless)\b/;
const skipCall =
  /^(pytest\.(skip|xfail|importorskip)|self\.skipTest|raise (unittest\.)?SkipTest|raise pytest\.skip)\b/;

export function readPythonTests(text: string): TestFile {
  const statements = statementsOf(text);
  const cases: TestCase[] = [];
  const classes: { indent: number; name: string; decorators: readonly Statement[] }[] = [];
  let decorators: Statement[] = [];
  const inTests = new Set<Statement>();
  statements.forEach((statement, index) => {
    while (classes.length > 0 && (classes.at(-1)?.indent ?? 0) >= statement.indent) classes.pop();
    if (statement.masked.startsWith('@')) {
      decorators.push(statement);
      return;
    }
    const isClass = /^class\s+(\w+)/.exec(statement.masked);
    if (isClass) classes.push({ indent: statement.indent, name: isClass[1] ?? '', decorators });
    const name = /^(?:async\s+)?def\s+(test\w*)\s*\(/.exec(statement.masked)?.[1];
    if (name !== undefined) {
      const body = bodyOf(statements, index);
      for (const each of body) inTests.add(each);
      const marks = [...classes.flatMap((each) => each.decorators), ...decorators];
      cases.push(caseOf([...classes.map((each) => each.name), name].join('.'), statement, marks, body));
    }
    decorators = [];
  });
  const outside = statements.filter((statement) => !inTests.has(statement));
  const helpers = assertionsIn(outside.filter(({ masked }) => !/^(def|class|async|@)/.test(masked)));
  return {
    cases: [
      ...cases,
      {
        ...plain,
        id: '',
        line: 1,
        source: outside.map(({ text: each }) => each).join('\n'),
        assertions: helpers,
      },
    ],
    skippedBy: fileSkip(outside),
    bindings: pythonBindings(text, maskCode(text, 'python')),
  };
}

const plain = {
  runs: 'always',
  skippedBy: '',
  focused: false,
  rows: null,
  timeoutMs: null,
  retries: 0,
} as const;

function fileSkip(statements: readonly Statement[]): string {
  const found = statements.find(
    ({ indent, masked }) =>
      (indent === 0 && /^pytestmark\s*=.*\b(skip|xfail)/.test(masked)) ||
      (indent === 0 && /^pytest\.skip\b/.test(masked)) ||
      /^__test__\s*=\s*False\b/.test(masked),
  );
  return found ? (found.masked.split(/[(\s=]/)[0] ?? '') : '';
}

function caseOf(
  id: string,
  head: Statement,
  marks: readonly Statement[],
  body: readonly Statement[],
): TestCase {
  const mark = marks.find(({ masked }) => skipMark.test(masked) && !skipMarkSometimes.test(masked));
  const first = body.findIndex(({ masked }) => skipCall.test(masked));
  const bodySkip = first < 0 ? undefined : body[first];
  const isWhole = bodySkip !== undefined && bodySkip.indent === body[0]?.indent;
  const maybe =
    marks.find(({ masked }) => skipMarkSometimes.test(masked)) ?? (isWhole ? undefined : bodySkip);
  const never = mark ?? (isWhole ? bodySkip : undefined);
  const all = marks.map((each) => each.text).join('\n');
  const timeout = /@pytest\.mark\.timeout\((?:timeout=)?([\d.]+)/.exec(all)?.[1];
  const retries = /@(?:pytest\.mark\.)?flaky\b(?:\([^)]*?(?:reruns|max_runs)\s*=\s*(\d+))?/.exec(all);
  return {
    id,
    line: head.line,
    runs: never ? 'never' : maybe ? 'sometimes' : 'always',
    skippedBy: (never ?? maybe)?.masked.split('(')[0]?.trim() ?? '',
    focused: false,
    source: [...marks, head, ...body].map(({ text }) => text).join('\n'),
    assertions: assertionsIn(body),
    rows: rowsOf(marks),
    timeoutMs: timeout === undefined ? null : Number(timeout) * 1000,
    retries: retries ? Number(retries[1] ?? 1) : 0,
  };
}

function rowsOf(marks: readonly Statement[]): number | null {
  const counts = marks.flatMap(({ text, masked }) => {
    if (!/\bparametrize\b/.test(masked)) return [];
    const open = masked.indexOf('(');
    const args = splitArguments(text.slice(open + 1, -1), masked.slice(open + 1, -1));
    const table = args[1] ?? '';
    if (!/^[[(]/.test(table)) return [];
    const inner = table.slice(1, -1);
    return [splitArguments(inner, maskCode(inner, 'python')).length];
  });
  return counts.length === 0 ? null : counts.reduce((product, count) => product * count, 1);
}

/** Statements with brackets and strings joined over lines; blank lines and comments are none. */
function statementsOf(text: string): Statement[] {
  const masked = maskCode(text, 'python');
  const statements: Statement[] = [];
  let line = 1;
  for (let at = 0; at < masked.length; ) {
    const end = endOfStatement(masked, at);
    const piece = masked.slice(at, end);
    const indent = piece.length - piece.trimStart().length;
    if (piece.trim() !== '') {
      const inner = piece.trim();
      const from = at + indent;
      const before = piece.slice(0, indent).split('\n').length - 1;
      statements.push({
        indent: piece.slice(0, indent).split('\n').at(-1)?.length ?? 0,
        text: text.slice(from, from + inner.length),
        masked: inner,
        line: line + before,
      });
    }
    line += masked.slice(at, end + 1).split('\n').length - 1;
    at = end + 1;
  }
  return statements;
}

function endOfStatement(masked: string, start: number): number {
  for (let at = start; at < masked.length; at++) {
    const character = masked[at];
    if (character === '(' || character === '[' || character === '{') at = closing(masked, at) - 1;
    // The inside of a string over several lines is blank, so its line ends stand between its quotes.
    else if (character === '"' || character === "'") at = endOfString(masked, at);
    else if (character === '\n' && masked[at - 1] !== '\\') return at;
  }
  return masked.length;
}

function endOfString(masked: string, at: number): number {
  const end = masked.indexOf(masked[at] as string, at + 1);
  return end < 0 ? masked.length : end;
}

function bodyOf(statements: readonly Statement[], head: number): Statement[] {
  const indent = statements[head]?.indent ?? 0;
  const body: Statement[] = [];
  for (let index = head + 1; index < statements.length; index++) {
    const statement = statements[index] as Statement;
    if (statement.indent <= indent) break;
    body.push(statement);
  }
  return body;
}

/** Assertions that count: not behind a `return`, in `if False:`, or where their failure is swallowed or expected. */
function assertionsIn(statements: readonly Statement[]): Assertion[] {
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

/** A failing assertion inside is what it waits for. */
const expectsAnything =
  /^(async\s+)?with\s+(pytest\.raises|self\.assertRaises)\s*\(\s*\(?\s*(AssertionError|(Base)?Exception)\b/;

/** What is behind an `if` that returns stands until its block ends, what is in an `if` until the `if` does. */
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
  if (!/^except(\s+\(?(Exception|BaseException|AssertionError)\b.*)?\s*:/.test(caught.masked)) return false;
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

/** Where a pattern matches outside of brackets. */
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
