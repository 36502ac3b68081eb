import { redactSecrets } from '#lib/redact.ts';
import { plainLines } from '#tests/results/plain-lines.ts';

const mostLines = 24;
const longestLine = 300;

/** How runners mark the failure of a test, before or after its name. */
const mark = /\bnot ok\b|[✖✗×✘❯●]|\bFAIL(ED|URE)?\b|--- FAIL|\bpanicked\b|^_{3,} /;

/** Times and locations that differ from run to run. */
const volatile = /^\s*(duration_ms\b|Duration\b|Start at\b|type: '(test|suite)')|^\s+at .*node:internal/;

/** The part of an output about one failing test: the same in every run, and short. */
export function failureExcerpt(log: string, title: string): string {
  const lines = plainLines(log.trimEnd())
    .filter((line) => !volatile.test(line))
    .map((line) =>
      redactSecrets(line.slice(0, longestLine))
        .replace(/\(?\b[\d.]+ ?m?s\b\)?/g, '')
        .trimEnd(),
    )
    .filter((line) => line !== '');
  const found = lines.findIndex((line) => line.includes(title) && mark.test(line));
  const start = found >= 0 ? found : Math.max(0, lines.length - mostLines);
  return lines.slice(start, start + mostLines).join('\n');
}

/** How runners describe a failure, most informative first. */
const sayings = [
  / !== |\bAssertionError\b|\bassertion\b|^E\s+assert\b/,
  /\b([Ee]xpected|[Ee]rror|\w+Error|assert)\b/,
];

/** The line that says what was expected, if there is one. */
export function failureLine(log: string, title: string): string | null {
  const lines = failureExcerpt(log, title).split('\n');
  const said = sayings.map((saying) => lines.find((line) => saying.test(line))).find(Boolean);
  return said === undefined ? null : said.trim().slice(0, 200);
}
