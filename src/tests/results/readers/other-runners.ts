import type { Reading, TestReader } from './reading.ts';

type Counts = Omit<Reading, 'failing'>;

interface ClosingLine {
  readonly name: string;
  readonly pattern: RegExp;
  /** From the numbers of one line. */
  counts(n: (group: string) => number): Counts;
  /** `last` if the runner repeats its totals; otherwise every line counts. */
  readonly which?: 'last';
}

const totalMinus = (n: (group: string) => number): Counts => {
  const failed = n('failed') + n('errors');
  return { failed, skipped: n('skipped'), passed: Math.max(0, n('total') - failed - n('skipped')) };
};
const asNamed = (n: (group: string) => number): Counts => ({
  passed: n('passed'),
  failed: n('failed'),
  skipped: n('skipped'),
});

/** Runners recognized only by their closing line. */
const closingLines: readonly ClosingLine[] = [
  {
    name: 'rspec',
    pattern:
      /^(?<total>\d+) examples?, (?<failed>\d+) failures?(?:, (?<skipped>\d+) pending)?(?:, (?<errors>\d+) errors? occurred.*)?$/,
    counts: totalMinus,
  },
  {
    name: 'minitest',
    pattern:
      /^(?<total>\d+) (?:runs|tests), \d+ assertions, (?<failed>\d+) failures, (?<errors>\d+) errors(?:, (?:\d+ pendings, )?(?<skipped>\d+) (?:skips|omissions).*)?$/,
    counts: totalMinus,
  },
  {
    name: 'exunit',
    pattern:
      /^(?:\d+ doctests?, )?(?<total>\d+) tests?, (?<failed>\d+) failures?(?:, (?<skipped>\d+) skipped)?(?:, .*)?$/,
    counts: totalMinus,
  },
  { name: 'phpunit', pattern: /^OK \((?<passed>\d+) tests?, \d+ assertions?\)$/, counts: asNamed },
  {
    name: 'phpunit',
    pattern:
      /^(?=Tests: .*\.$)Tests: (?<total>\d{1,15}), Assertions: \d{1,15}(?:, Errors: (?<errors>\d{1,15}))?(?:, Failures: (?<failed>\d{1,15}))?(?:, Warnings: \d{1,15})?(?:, .*?Skipped: (?<skipped>\d{1,15}))?/,
    counts: totalMinus,
  },
  {
    name: 'dotnet',
    pattern:
      /^\s*(?:Passed|Failed|Skipped)! +- Failed: +(?<failed>\d+), Passed: +(?<passed>\d+), Skipped: +(?<skipped>\d+), Total: +\d+/,
    counts: asNamed,
  },
  {
    name: 'surefire',
    pattern:
      /^(?:\[\w+\] +)?Tests run: (?<total>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+), Skipped: (?<skipped>\d+)$/,
    counts: totalMinus,
  },
  {
    name: 'gradle',
    pattern: /^(?<total>\d+) tests completed(?:, (?<failed>\d+) failed)?(?:, (?<skipped>\d+) skipped)?$/,
    counts: totalMinus,
  },
  {
    name: 'deno',
    pattern:
      /^(?:ok|FAILED) \| (?<passed>\d+) passed(?: \(\d+ steps?\))? \| (?<failed>\d+) failed(?: \(\d+ steps?\))?(?: \| (?<skipped>\d+) ignored)?.*$/,
    counts: asNamed,
  },
  {
    name: 'ctest',
    pattern: /^\d+% tests passed, (?<failed>\d+) tests failed out of (?<total>\d+)$/,
    counts: totalMinus,
  },
  {
    name: 'xctest',
    pattern:
      /^\s*Executed (?<total>\d+) tests?,(?: with (?<skipped>\d+) tests? skipped and)? with (?<failed>\d+) failures? .*$/,
    counts: totalMinus,
    which: 'last',
  },
  {
    name: 'karma',
    pattern:
      /Executed (?<done>\d+) of \d+(?: \((?<failed>\d+) FAILED\))?(?: \(skipped (?<skipped>\d+)\))?(?: SUCCESS)? \(.*$/,
    counts: (n) => ({
      passed: Math.max(0, n('done') - n('failed')),
      failed: n('failed'),
      skipped: n('skipped'),
    }),
    which: 'last',
  },
  // Playwright, AVA and Bun print each number on a separate line.
  {
    name: 'lines',
    pattern: /^\s+(?<passed>\d+) (?:tests? )?pass(?:ed)?(?: \([\d.]+[a-z]*\))?$/,
    counts: asNamed,
  },
  { name: 'lines', pattern: /^\s+(?<failed>\d+) (?:tests? )?fail(?:ed)?$/, counts: asNamed },
  {
    name: 'lines',
    pattern: /^\s+(?<skipped>\d+) (?:tests? )?(?:skip(?:ped)?|todo|did not run)$/,
    counts: asNamed,
  },
  {
    name: 'generic',
    pattern:
      /^(?:tests?:? +)?(?<passed>\d+) (?:tests? )?passed(?:[,;|] +(?<failed>\d+) failed)?(?:[,;|] +(?<skipped>\d+) skipped)?\.?$/i,
    counts: asNamed,
    which: 'last',
  },
  {
    name: 'generic',
    pattern:
      /^(?:tests?:? +)?(?<failed>\d+) (?:tests? )?failed(?:[,;|] +(?<passed>\d+) passed)?(?:[,;|] +(?<skipped>\d+) skipped)?\.?$/i,
    counts: asNamed,
    which: 'last',
  },
];

/** Runners without a dedicated reader: tried last, and only if no other reader understood anything. */
export const otherRunners: readonly TestReader[] = [...new Set(closingLines.map(({ name }) => name))].map(
  (name) => ({
    name,
    read(lines) {
      const sums = { passed: 0, failed: 0, skipped: 0 };
      const used: number[] = [];
      for (const { pattern, counts, which } of closingLines.filter((each) => each.name === name)) {
        const all = lines.flatMap((line, index) => (pattern.test(line) ? [index] : []));
        for (const index of which === 'last' ? all.slice(-1) : all) {
          const groups = pattern.exec(lines[index] ?? '')?.groups ?? {};
          const found = counts((group) => Number(groups[group] ?? 0));
          sums.passed += found.passed;
          sums.failed += found.failed;
          sums.skipped += found.skipped;
          used.push(index);
        }
      }
      return used.length === 0 ? null : { ...sums, failing: [], used };
    },
  }),
);
