import { expect, test } from 'vitest';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import { movedRefs, nextLive } from './live.ts';

const finding = (id: string, file = 'a.py') =>
  ({ id, decidedBy: 'code', branches: ['a', 'b'], sites: [{ file }] }) as unknown as Finding;

function report(ids: readonly Finding[], inconclusive: CheckReport['inconclusive'] = []): CheckReport {
  const tip = (ref: string, commit: string) => ({ ref, commit });
  return {
    base: tip('main', '0'),
    branches: [tip('a', '1'), tip('b', '2')],
    findings: ids,
    inconclusive,
  } as unknown as CheckReport;
}

test('the first report is all new; later ones give what was added and removed, by id', () => {
  const first = nextLive(null, report([finding('1'), finding('2')]));
  expect(first.new.map(({ id }) => id)).toEqual(['1', '2']);
  const second = nextLive(first.live, report([finding('2'), finding('3')]));
  expect([second.new, second.gone].map((list) => list.map(({ id }) => id))).toEqual([['3'], ['1']]);
});

test('a finding is not gone because its file is currently unreadable', () => {
  const first = nextLive(null, report([finding('1'), finding('2', 'b.py')]));
  const unread = nextLive(first.live, report([], [{ file: 'a.py', reason: 'does not parse' }]));
  expect(unread.gone.map(({ id }) => id)).toEqual(['2']);
  expect([...unread.live.open.keys()]).toEqual(['1']);
  const readable = nextLive(unread.live, report([]));
  expect(readable.gone.map(({ id }) => id)).toEqual(['1']);
});

test('names that moved, appeared or disappeared', () => {
  const before = report([]);
  const after = {
    ...before,
    branches: [
      { ...before.branches[0], commit: '9' },
      { ref: 'c', commit: '3' },
    ],
  };
  expect(movedRefs(null, before)).toEqual(['main', 'a', 'b']);
  expect(movedRefs(before, after as CheckReport)).toEqual(['a', 'c', 'b']);
});
