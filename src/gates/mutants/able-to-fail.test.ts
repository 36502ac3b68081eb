import { describe, expect, test } from 'vitest';
import type { TrialRun } from './able-to-fail.ts';
import { mutantsOfChange, notAbleToFail } from './able-to-fail.ts';
import { changedCases } from './changed-cases.ts';

const source = { path: 'src/sum.ts', before: 'a;\nb;\n', after: 'a;\nx = 1 + y;\nb;\n' };
const cases = [{ path: 'src/sum.test.ts', id: 'sums > two numbers' }];

function run(more: Partial<TrialRun> & { failing?: string[]; passed?: number }): TrialRun {
  const { failing = [], passed = 1, ...rest } = more;
  const tests = { passed, failed: failing.length, skipped: 0, failing, hasAllNames: true, runner: 'vitest' };
  const exitCode = failing.length > 0 ? 1 : 0;
  return { outcome: 'exited', exitCode, tests: tests as never, passing: null, cpuMs: 10, ...rest };
}

async function left(base: TrialRun | null, mutant: TrialRun = run({})) {
  const tried: string[] = [];
  const found = await notAbleToFail(cases, [source], {
    onBase: async () => base,
    withMutant: async ({ was, becomes }) => {
      tried.push(`${was} → ${becomes}`);
      return mutant;
    },
  });
  return { left: found.length, tried };
}

describe('a changed test', () => {
  test.each([
    ['that fails by name', run({ failing: ['src/sum.test.ts > sums > two numbers'] })],
    ['whose file cannot be loaded', run({ failing: ['src/sum.test.ts'] })],
    ['that did not run where others failed', run({ failing: ['other'], passing: ['third'] })],
    ['whose suite does not even start', run({ tests: null, exitCode: 1 })],
  ])('%s on the sources of base can fail', async (_, base) => {
    expect(await left(base)).toEqual({ left: 0, tried: [] });
  });

  test('that fails with a mutant of the changed lines can fail', async () => {
    expect(await left(run({}), run({ failing: ['sums > two numbers'] }))).toEqual({
      left: 0,
      tried: ['1 → 2'],
    });
  });

  test('that passes everywhere remains, after every mutant', async () => {
    expect(await left(run({}))).toEqual({ left: 1, tried: ['1 → 2', '+ → -'] });
  });

  test('is not covered by another test of its file', async () => {
    const other = run({ failing: ['src/sum.test.ts > sums > three numbers'] });
    expect((await left(other, other)).left).toBe(1);
  });

  test('remains if the suite could not run on base', async () => {
    expect(await left(null)).toEqual({ left: 1, tried: [] });
  });

  test('gets no more mutants when the time is used up', async () => {
    expect((await left(run({}), run({ cpuMs: 60_000 }))).tried).toHaveLength(1);
  });
});

test('mutants come from changed lines of sources, at most 20, every file in turn', async () => {
  const many = 'x = 1;\n'.repeat(30);
  const mutants = await mutantsOfChange([
    { path: 'a.ts', before: null, after: many },
    { path: 'b.py', before: null, after: many },
    { path: 'tests/a.test.ts', before: null, after: many },
    { path: 'c.go', before: null, after: many },
  ]);
  expect(mutants).toHaveLength(20);
  expect(mutants.slice(0, 3).map(({ path }) => path)).toEqual(['a.ts', 'b.py', 'a.ts']);
});

test('tests that were only moved are not changed', () => {
  const one = "test('one', () => {\n  expect(1).toBe(1);\n});\n";
  const two = "test('two', () => {\n  expect(2).toBe(2);\n});\n";
  const texts = [
    { path: 'a.test.ts', before: one, after: null },
    { path: 'b.test.ts', before: null, after: one + two },
  ];
  expect(changedCases(texts)).toEqual([{ path: 'b.test.ts', id: 'two' }]);
});
