import { isTautology, matcherStrength } from './assertion-strength.ts';
import { guarded } from './curly-guards.ts';
import { type CodeStyle, closing, lineCounter, maskCode, splitArguments } from './mask-code.ts';
import { type Assertion, spelled, type TestCase, type TestFile } from './test-case.ts';

interface Dialect {
  readonly style: CodeStyle;
  /** Start of a test; group `name` is its name, the body is in the next curly brackets. */
  readonly test: RegExp;
  readonly assertion: RegExp;
  /** What prevents a test from running: before it, in its attributes, or in its body. */
  readonly skipBefore: RegExp;
  readonly skipInside: RegExp;
  readonly skipFile: RegExp;
}

const nothing = /(?!)/;
/** More tests times assertions than people write by hand. */
const mostPairs = 10_000_000;

const dialects: Readonly<Record<string, Dialect>> = {
  go: {
    style: 'go',
    test: /^func\s+(?<name>(?:Test|Fuzz|Example)(?![a-z])\w*)\s*\(/gm,
    assertion: /\b(?:t\.(?<own>Errorf?|Fatalf?|Fail|FailNow)|(?:assert|require)\.(?<name>\w+))\s*\(/g,
    skipBefore: nothing,
    skipInside: /\bt\.Skip(?:Now|f)?\s*\(/,
    skipFile: /^\/\/go:build\s+(ignore|never)\b/m,
  },
  rs: {
    style: 'rust',
    test: /#\[(?:\w+::)*(?:test|rstest)\b[^\]]{0,200}\](?:\s{0,99}#\[[^\]]{0,200}\]){0,9}\s{0,99}(?:pub\s+)?(?:async\s+)?fn\s+(?<name>\w+)/g,
    assertion: /\b(?:debug_)?(?<name>assert(?:_eq|_ne|_matches)?)!\s*[([{]/g,
    skipBefore: /#\[ignore\b/,
    skipInside: nothing,
    skipFile: /#!?\[cfg\((any\(\)|FALSE|not\(test\))\)\]/,
  },
  java: {
    style: 'c',
    test: /@(?:Test|ParameterizedTest|RepeatedTest)\b[^{;]{0,300}?\b(?:fun\s{1,9})?(?<name>\w{1,99}|`[^`]{1,99}`)\s{0,9}\([^)]{0,300}\)[^{;]{0,99}(?=\{)/g,
    assertion: /(?<![\w.])(?:\w+\.)?(?<name>assert\w*|verify|fail|expect\w*)\s*\(/g,
    skipBefore: /@(Disabled|Ignore)\b/,
    skipInside: nothing,
    skipFile: /@(Disabled|Ignore)\b[^{]{0,300}\bclass\b/,
  },
  cs: {
    style: 'c',
    test: /\[(?:Fact|Theory|Test|TestMethod|TestCase)\b[^{;]{0,300}?\b(?<name>\w{1,99})\s{0,9}\([^)]{0,300}\)\s{0,99}(?=\{)/g,
    assertion: /\bAssert\.(?<name>\w+)\s*\(|\.Should\(\)\.(?<should>\w+)\s*\(/g,
    skipBefore: /\[Ignore\b|\bSkip\s*=/,
    skipInside: nothing,
    skipFile: nothing,
  },
  swift: {
    style: 'c',
    test: /\bfunc\s+(?<name>test\w*)\s*\(\)[^{]{0,99}(?=\{)/g,
    assertion: /\b(?<name>XCT(?:Assert\w*|Fail|Unwrap))\s*\(/g,
    skipBefore: nothing,
    skipInside: /\bXCTSkip\w*\s*\(/,
    skipFile: nothing,
  },
  php: {
    style: 'c',
    test: /\bfunction\s+(?<name>test\w*)\s*\([^)]{0,300}\)[^{]{0,99}(?=\{)/g,
    assertion: /(?:->|::)(?<name>assert\w+|expect\w+)\s*\(/g,
    skipBefore: nothing,
    skipInside: /->markTest(Skipped|Incomplete)\s*\(/,
    skipFile: nothing,
  },
  rb: {
    style: 'ruby',
    test: /^[ \t]*(?:it|specify|test)\s+(?<name>["'])|^[ \t]*def\s+(?<def>test_\w+)/gm,
    assertion: /\b(?<name>assert\w*|refute\w*|expect)\b|\.(?<should>should\w*|must_\w+)\b/g,
    skipBefore: nothing,
    skipInside: nothing,
    skipFile: /^[ \t]*(?:xit|xdescribe|xcontext|skip|pending)\b/m,
  },
};
const kin: Readonly<Record<string, string>> = {
  kt: 'java',
  kts: 'java',
  scala: 'java',
  groovy: 'java',
  fs: 'cs',
};

/** Tests in curly-brace languages; null for an unknown language. */
export function readOtherTests(extension: string, text: string): TestFile | null {
  const dialect = dialects[kin[extension] ?? extension];
  if (!dialect) return null;
  const masked = maskCode(text, dialect.style);
  const lineAt = lineCounter(text);
  const found = assertionsOf(dialect, text, masked).map((each) => ({ ...each, line: lineAt(each.at) }));
  let last = 0;
  const matches = [...masked.matchAll(dialect.test)];
  if (matches.length * found.length > mostPairs)
    return { cases: [], skippedBy: '', unreadable: 'too many tests' };
  const cases: TestCase[] = matches.map((match, index) => {
    const at = match.index + match[0].length;
    const open = masked.indexOf('{', at - 1);
    const end =
      dialect.style === 'ruby' ? endOfRuby(masked, at, dialect.test) : open < 0 ? at : closing(masked, open);
    const before = masked.slice(last, at);
    last = end;
    const skip = dialect.skipBefore.exec(before) ?? dialect.skipInside.exec(masked.slice(at, end));
    return {
      id: nameOf(match, text) || `test ${index + 1}`,
      line: lineAt(match.index),
      runs: skip ? 'never' : 'always',
      skippedBy: skip?.[0].replace(/(?<!\s)\s*\($/, '') ?? '',
      focused: false,
      source: text.slice(match.index, end),
      assertions: guarded(
        text,
        masked,
        { start: at, end },
        found.filter((each) => each.at >= match.index && each.at < end),
      ),
      rows: null,
      timeoutMs: null,
      retries: 0,
    };
  });
  return { cases, skippedBy: dialect.skipFile.exec(text)?.[0].trim() ?? '' };
}

function nameOf(match: RegExpExecArray, text: string): string {
  const { name = '', def = '' } = match.groups ?? {};
  if (!/^["']$/.test(name)) return name || def;
  const from = match.index + match[0].length;
  const end = text.indexOf(name, from);
  return text.slice(from, end < 0 ? from : end);
}

/** Ruby blocks end with a word, so a test is taken to extend to the next one. */
function endOfRuby(masked: string, at: number, test: RegExp): number {
  const next = new RegExp(test.source, 'm').exec(masked.slice(at));
  return next ? at + next.index : masked.length;
}

function assertionsOf(
  dialect: Dialect,
  text: string,
  masked: string,
): (Omit<Assertion, 'line'> & { at: number })[] {
  return [...masked.matchAll(dialect.assertion)].map((match) => {
    const { own, name = '', should } = match.groups ?? {};
    const open = match.index + match[0].length - 1;
    const end = /[([{]/.test(masked[open] ?? '') ? closing(masked, open) : lineEnd(masked, open);
    if (own !== undefined) return conditional(text, masked, match.index);
    const inner = [text.slice(open + 1, end - 1), masked.slice(open + 1, end - 1)] as const;
    const args = splitArguments(...inner).map(spelled);
    const [first = '', second = ''] = dialect.style === 'go' ? args.slice(1) : args;
    const isEqual = name === 'assert' && /==/.test(first);
    const isSame = name !== 'assert' && second !== '' && isTautology(first, [second]);
    const strength =
      isSame || isTautology(first, second === '' ? [] : [second])
        ? (0 as const)
        : isEqual
          ? (4 as const)
          : matcherStrength(should ?? name, args.slice(1), false);
    return {
      at: match.index,
      subject: isEqual ? (first.split('==')[0] ?? '') : first,
      text: spelled(text.slice(match.index, end)),
      strength,
    };
  });
}

function lineEnd(masked: string, at: number): number {
  const end = masked.indexOf('\n', at);
  return end < 0 ? masked.length : end;
}

/** `if got != want { t.Errorf(…) }`: the assertion is the condition around it. */
function conditional(text: string, masked: string, at: number): Omit<Assertion, 'line'> & { at: number } {
  const open = masked.lastIndexOf('{', at);
  const start = masked.lastIndexOf('\n', open) + 1;
  const condition = spelled(text.slice(start, Math.max(start, open)));
  const isNever = /\bif false\b/.test(condition);
  return {
    at,
    subject: condition.split(/!=|==/)[0] ?? '',
    text: `${condition} fails`,
    strength: isNever ? 0 : /!=/.test(condition) ? 4 : /==/.test(condition) ? 2 : 3,
  };
}
