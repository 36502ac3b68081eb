import { expect, test } from 'vitest';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import { compareReports } from './delta.ts';

const commit = '0'.repeat(40);

function finding(id: string, overrides: Partial<Finding> = {}): Finding {
  return {
    id,
    rootCause: id,
    rule: 'S02',
    category: 'interface',
    severity: 'blocking',
    confidence: 'proven',
    judge: 'facts',
    effect: 'stops',
    decidedBy: 'code',
    message: 'same words for every finding',
    branches: ['feat/a', 'feat/b'],
    owner: null,
    ownerReason: '',
    sites: [
      {
        branch: 'feat/a',
        file: 'src/a.ts',
        line: 1,
        column: 1,
        endLine: 1,
        symbol: 'src/a.ts#',
        role: 'consumer',
      },
    ],
    tier: 'R1',
    witness: { unionTree: null, members: [], command: '', output: '', absentOn: [] },
    suggestion: '',
    ...overrides,
  };
}

function report(ids: readonly string[], overrides: Partial<CheckReport> = {}): CheckReport {
  return {
    schema: 'joinery/check@1',
    status: 'fail',
    base: { ref: 'main', commit },
    branches: ['feat/a', 'feat/b'].map((ref) => ({
      ref,
      commit,
      mergeBase: commit,
      files: 1,
      state: 'checked',
    })),
    union: { tree: null, excluded: [], conflicts: [] },
    landable: [],
    blocked: [],
    findings: ids.map((id) => finding(id)),
    inconclusive: [],
    degraded: [],
    stats: {},
    ...overrides,
  };
}

function idsByKind(before: CheckReport, after: CheckReport, fixedBefore: readonly string[] = []) {
  const delta = compareReports(before, after, fixedBefore);
  return Object.fromEntries(
    Object.entries(delta).map(([kind, entries]) => [
      kind,
      entries.map((entry) => (typeof entry === 'string' ? entry : entry.id)),
    ]),
  );
}

test('findings are matched by id, not by text', () => {
  expect(idsByKind(report(['gone', 'stays']), report(['stays', 'comes', 'back']), ['back', 'stays'])).toEqual(
    {
      fixed: ['gone'],
      remaining: ['stays'],
      new: ['comes'],
      regressed: ['back'],
      unverified: [],
    },
  );
});

test('a finding of a branch that was not checked again is not fixed', () => {
  const after = report([], { branches: report([]).branches.slice(0, 1) });
  expect(idsByKind(report(['x']), after)).toMatchObject({ fixed: [], unverified: ['x'] });
});

test('a finding in a file that could not be read is not fixed', () => {
  const after = report([], { inconclusive: [{ file: 'src/a.ts', reason: 'does not parse' }] });
  expect(idsByKind(report(['x']), after)).toMatchObject({ fixed: [], unverified: ['x'] });
  const elsewhere = report([], { inconclusive: [{ file: 'src/z.ts', reason: 'does not parse' }] });
  expect(idsByKind(report(['x']), elsewhere)).toMatchObject({ fixed: ['x'] });
});

test('a finding about code in a file that is compared as text only is not called fixed', () => {
  const coverage = { textOnly: [], unparsed: ['src/a.ts'], packages: [], imports: [], classes: [] };
  expect(idsByKind(report(['x']), report([], { coverage }))).toMatchObject({ fixed: [], unverified: ['x'] });
});

test('nothing is fixed when a requested check did not run', () => {
  const after = report([], { inconclusive: [{ check: 'types', reason: 'timed out' }] });
  expect(idsByKind(report(['x']), after)).toMatchObject({ fixed: [], unverified: ['x'] });
});

test('the base counts as checked', () => {
  const before = report([], { findings: [finding('x', { branches: ['main', 'feat/a'] })] });
  expect(idsByKind(before, report([]))).toMatchObject({ fixed: ['x'] });
});

test('a finding that the project accepts now was not fixed', () => {
  const after = report([], { ignored: [{ id: 'x', rule: 'S02', reason: 'known' }] });
  expect(idsByKind(report(['x']), after)).toEqual({
    fixed: [],
    remaining: [],
    new: [],
    regressed: [],
    unverified: [],
  });
});

test('a finding of --risk does not count as fixed when --risk was not requested', () => {
  const before = report([], { findings: [finding('x', { rule: 'G02' })] });
  expect(compareReports(before, report([])).unverified.map(({ id }) => id)).toEqual(['x']);
  const risk = { clusters: [], overlaps: [], boundaries: [], highImpact: [], order: [], notes: [] };
  const weighed = report([], { risk: { ...risk, resolution: { files: 0, symbols: 0, uses: 0 } } });
  expect(compareReports(before, weighed).fixed.map(({ id }) => id)).toEqual(['x']);
});
