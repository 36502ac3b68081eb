import { type Reading, range, type TestReader } from './reading.ts';

const attributes = String.raw`((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*`;
const tags = new RegExp(
  [
    String.raw`<testcase${attributes}(\/?)>`,
    String.raw`<(failure|error|skipped)(?![\w-])${attributes}`,
    String.raw`<(\/)testcase\s*>`,
    String.raw`<testsuite(?![\w-])${attributes}(\/?)>`,
    String.raw`<(\/)testsuite\s*>`,
  ].join('|'),
  'g',
);

/** JUnit XML, written by many runners. Counts the cases: runners disagree about the totals of a suite. */
export const junit: TestReader = {
  name: 'junit',
  read(lines) {
    const first = lines.findIndex((line) => /<testsuites?[\s>]/.test(line));
    const last = lines.findLastIndex((line) => /<\/testsuites?\s*>|<testsuites?[^<>]*\/>/.test(line));
    if (first < 0 || last < first) return null;
    return { ...countCases(lines.slice(first, last + 1).join('\n')), used: range(first, last + 1) };
  },
};

type Outcome = 'passed' | 'failed' | 'skipped';

export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  /** As some runners write it. */
  readonly file: string;
  /** The suites that it is in, outermost first. */
  readonly suites: readonly string[];
  readonly outcome: Outcome;
  /** Of its failure. */
  readonly message: string;
}

function countCases(text: string): Reading {
  const cases = junitCases(text);
  const named = (wanted: Outcome) =>
    cases
      .filter(({ outcome }) => outcome === wanted)
      .map(({ classname, name }) => [classname, name].filter(Boolean).join(' > '));
  const [passing, failing] = [named('passed'), named('failed')];
  return {
    passed: passing.length,
    failed: failing.length,
    skipped: named('skipped').length,
    failing,
    passing,
  };
}

/** One pass over the tags: an unclosed case must not cause repeated searches for its end. */
export function junitCases(xml: string): JunitCase[] {
  const text = ['<system-out>', '<system-err>'].reduce(
    (left, open) => without(left, open, open.replace('<', '</')),
    without(xml, '<![CDATA[', ']]>'),
  );
  const cases: JunitCase[] = [];
  const suites: string[] = [];
  let open: { -readonly [K in keyof JunitCase]: JunitCase[K] } | null = null;
  const close = () => {
    if (open) cases.push(open);
    open = null;
  };
  for (const [, ofCase, isClosed, mark, ofMark, isEnd, ofSuite, isEmpty, isSuiteEnd] of text.matchAll(tags)) {
    if (ofCase !== undefined) {
      close();
      open = {
        name: attribute(ofCase, 'name'),
        classname: attribute(ofCase, 'classname'),
        file: attribute(ofCase, 'file'),
        suites: [...suites],
        outcome: 'passed',
        message: '',
      };
      if (isClosed === '/') close();
    } else if (isEnd !== undefined) close();
    else if (ofSuite !== undefined && isEmpty !== '/') suites.push(attribute(ofSuite, 'name'));
    else if (isSuiteEnd !== undefined) suites.pop();
    else if (open && mark === 'skipped' && open.outcome === 'passed') open.outcome = 'skipped';
    else if (open && mark !== undefined && mark !== 'skipped') {
      open.outcome = 'failed';
      open.message ||= attribute(ofMark ?? '', 'message');
    }
  }
  close();
  return cases;
}

/** Removes everything between two marks; an unclosed one extends to the end. */
function without(text: string, open: string, close: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, at)) {
    kept.push(text.slice(at, start));
    const end = text.indexOf(close, start);
    if (end < 0) return kept.join('');
    at = end + close.length;
  }
  return [...kept, text.slice(at)].join('');
}

function attribute(given: string, name: string): string {
  const match = new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`).exec(given);
  return decode(match?.[1] ?? match?.[2] ?? '');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? all;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}
