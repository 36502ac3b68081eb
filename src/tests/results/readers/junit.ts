import { type Reading, range, type TestReader } from './reading.ts';

const tags = new RegExp(
  [
    String.raw`<testcase((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>`,
    String.raw`<(failure|error|skipped)[\s>/]`,
    String.raw`<(\/)testcase\s*>`,
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
    const text = ['<system-out>', '<system-err>'].reduce(
      (left, open) => without(left, open, open.replace('<', '</')),
      without(lines.slice(first, last + 1).join('\n'), '<![CDATA[', ']]>'),
    );
    return { ...countCases(text), used: range(first, last + 1) };
  },
};

type Outcome = 'passed' | 'failed' | 'skipped';

/** One pass over the tags: an unclosed case must not cause repeated searches for its end. */
function countCases(text: string): Reading {
  const sums = { passed: 0, failed: 0, skipped: 0 };
  const failing: string[] = [];
  const passing: string[] = [];
  let open: { name: string; outcome: Outcome } | null = null;
  const close = () => {
    if (!open) return;
    sums[open.outcome] += 1;
    if (open.outcome === 'failed') failing.push(open.name);
    if (open.outcome === 'passed') passing.push(open.name);
    open = null;
  };
  for (const [, attributes, isClosed, mark, isEnd] of text.matchAll(tags)) {
    if (attributes !== undefined) {
      close();
      const name = [attribute(attributes, 'classname'), attribute(attributes, 'name')]
        .filter(Boolean)
        .join(' > ');
      open = { name, outcome: 'passed' };
      if (isClosed === '/') close();
    } else if (isEnd !== undefined) close();
    else if (open && mark === 'skipped' && open.outcome === 'passed') open.outcome = 'skipped';
    else if (open && mark !== 'skipped') open.outcome = 'failed';
  }
  close();
  return { ...sums, failing, passing };
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
