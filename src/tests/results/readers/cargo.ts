import { distinct, type TestReader } from './reading.ts';

const result = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;/;
const target = /^\s*(?:Running (?:unittests )?(\S+)(?: \(.*\))?|Doc-tests (\S+))$/;

/** `cargo test`: one result per target. */
export const cargo: TestReader = {
  name: 'cargo',
  read(lines) {
    const sums = { passed: 0, failed: 0, skipped: 0 };
    const failing: string[] = [];
    const used: number[] = [];
    let current = '';
    let isInList = false;
    let listed: string[] = [];
    for (const [index, line] of lines.entries()) {
      const [, path, docs] = target.exec(line) ?? [];
      if (path !== undefined || docs !== undefined) current = path ?? `doc ${docs}`;
      if (line === 'failures:') {
        isInList = true;
        listed = [];
      } else if (isInList && /^ {4}\S/.test(line)) listed.push(`${current} ${line.trim()}`.trim());
      const [, passed, failed, ignored] = result.exec(line) ?? [];
      if (passed === undefined) continue;
      sums.passed += Number(passed);
      sums.failed += Number(failed);
      sums.skipped += Number(ignored);
      failing.push(...listed.slice(0, Number(failed)));
      isInList = false;
      listed = [];
      used.push(index);
    }
    return used.length === 0 ? null : { ...sums, failing: distinct(failing), used };
  },
};

const summary = /^\s*Summary \[[^\]]*\] \d+ tests? run: (.*)$/;
const failure = /^\s*(?:FAIL|TIMEOUT|SIG[A-Z]+|ABORT) \[[^\]]*\] (?:\([^)]*\) )?(.+)$/;

/** `cargo nextest`. */
export const nextest: TestReader = {
  name: 'nextest',
  read(lines) {
    const at = lines.findLastIndex((line) => summary.test(line));
    const text = summary.exec(lines[at] ?? '')?.[1];
    if (text === undefined) return null;
    const count = (word: RegExp) =>
      [...text.matchAll(/(?<!\d)(\d+) ([a-z ]{1,200}?)(?= \(|,|$)/g)].reduce(
        (sum, [, n, what = '']) => sum + (word.test(what) ? Number(n) : 0),
        0,
      );
    const names = lines.slice(at).flatMap((line) => failure.exec(line)?.[1]?.trim() ?? []);
    return {
      passed: count(/^passed$/),
      failed: count(/^(failed|timed out|exec failed)$/),
      skipped: count(/^skipped$/),
      failing: [...new Set(names)],
      used: [at],
    };
  },
};
