import { distinct, sumWords, type TestReader } from './reading.ts';

const words = { passed: /^(passed|xpassed)$/, failed: /^(failed|errors?)$/, skipped: /^(skipped|xfailed)$/ };
const closing = /^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+|no tests ran) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/;
const failure = /^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$/;
const progress = /^(?:\S+\.py )?([.FEsxX]+)\s*\[ *\d+%\]$/;

/** pytest: its last line, or with -qq, which has none, the letters of its progress. */
export const pytest: TestReader = {
  name: 'pytest',
  read(lines) {
    const ends = lines.flatMap((line, index) => (closing.test(line) ? [index] : []));
    const summaries = lines.flatMap((line, index) =>
      /^=+ short test summary info =+$/.test(line) ? [index] : [],
    );
    const failing = distinct(
      lines.slice(summaries[0] ?? lines.length).flatMap((line) => failure.exec(line)?.[1] ?? []),
    );
    if (ends.length > 0) {
      const sums = sumWords(ends.map((at) => closing.exec(lines[at] ?? '')?.[1]).join(', '), words);
      return { ...sums, failing, used: ends };
    }
    const letters = lines.flatMap((line) => progress.exec(line)?.[1] ?? []).join('');
    if (letters === '') return null;
    const count = (set: RegExp) => letters.replaceAll(set, '').length;
    return {
      passed: count(/[^.X]/g),
      failed: count(/[^FE]/g),
      skipped: count(/[^sx]/g),
      failing,
      used: lines.flatMap((line, index) => (progress.test(line) ? [index] : [])),
    };
  },
};

const ran = /^Ran (\d+) tests? in [\d.]+s$/;
const verdict = /^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/;
/** An empty line separates the two closing lines; other output may come between them. */
const reach = 25;

export const unittest: TestReader = {
  name: 'unittest',
  read(lines) {
    const sums = { passed: 0, failed: 0, skipped: 0 };
    const used: number[] = [];
    for (const [index, line] of lines.entries()) {
      const total = ran.exec(line)?.[1];
      if (total === undefined) continue;
      const offset = lines.slice(index + 1, index + 1 + reach).findIndex((each) => verdict.test(each));
      if (offset < 0) continue;
      const at = index + 1 + offset;
      const count = (name: string) =>
        Number(new RegExp(`(?:^|, )${name}=(\\d+)`).exec(verdict.exec(lines[at] ?? '')?.[1] ?? '')?.[1] ?? 0);
      const failed = count('failures') + count('errors') + count('unexpected successes');
      const skipped = count('skipped') + count('expected failures');
      sums.failed += failed;
      sums.skipped += skipped;
      sums.passed += Math.max(0, Number(total) - failed - skipped);
      used.push(index, at);
    }
    if (used.length === 0) return null;
    const failing = lines.flatMap(
      (line) => /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (\S+ \(.*)$/.exec(line)?.[1] ?? [],
    );
    return { ...sums, failing: distinct(failing), used };
  },
};
