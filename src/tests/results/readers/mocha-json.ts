import type { TestReader } from './reading.ts';

/** `mocha --reporter json`: a document of many lines, read line by line because other output may come between them. */
export const mochaJson: TestReader = {
  name: 'mocha-json',
  read(lines) {
    const start = lines.findIndex((line) => /^ {2}"stats": \{$/.test(line));
    if (start < 0) return null;
    const count = (key: string) => {
      const pattern = new RegExp(`^ {4}"${key}": (\\d+),?$`);
      const line = lines.slice(start).find((each) => pattern.test(each)) ?? '';
      return Number(pattern.exec(line)?.[1] ?? 0);
    };
    const end = lines.findIndex((line, index) => index > start && line === '}');
    const titles = (key: 'failures' | 'passes') => {
      const from = lines.findIndex((line, index) => index > start && line === `  "${key}": [`);
      const list = lines.slice(from < 0 ? lines.length : from);
      return list
        .slice(0, list.findIndex((line) => /^ {2}\],?$/.test(line)) + 1)
        .flatMap((line) => /^ {6}"fullTitle": (".*"),?$/.exec(line)?.[1] ?? [])
        .map((text) => JSON.parse(text) as string);
    };
    const last = end < 0 ? lines.length : end + 1;
    return {
      passed: count('passes'),
      failed: count('failures'),
      skipped: count('pending'),
      failing: titles('failures'),
      passing: titles('passes'),
      used: Array.from({ length: last - start }, (_, index) => start + index),
    };
  },
};
