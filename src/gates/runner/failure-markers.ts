import { plainLines } from '#tests/results/plain-lines.ts';

/** Lines of compilers, linters and builds that report a failure. Never used for test output, which may print anything. */
const markers: readonly RegExp[] = [
  /\berror TS\d+:/,
  /^npm (ERR!|error )/,
  /^(\S+ )?BUILD FAILED\b/,
  /^\*\* \w+ FAILED \*\*$/,
  /^FAILURE: Build failed\b/,
  /^FAIL(ED)?\b/,
  /^Traceback \(most recent call last\):$/,
  /^panic: /,
  /^fatal: /,
  /^error(\[E\d+\])?: /,
  /^\S+:\d+:\d+:? (fatal )?error\b/,
  /(^|[^\w.-])([1-9]\d*) (errors?|failed)(?![\w-]| (fixed|ignored))/i,
  /^make(\[\d+\])?: \*\*\* /,
  /^SyntaxError: /,
];
const most = 5;

/** The first few such lines. `0 errors` does not count. */
export function failureMarkers(log: string): string[] {
  return plainLines(log)
    .filter((line) => markers.some((marker) => marker.test(line)))
    .slice(0, most)
    .map((line) => line.trim().slice(0, 200));
}
