import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { RawFinding, Triage } from '#schema/triage.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { isExpired, memoriesOf, recalled } from './memories-of.ts';
import { MemoryStore } from './memory-store.ts';

const open: MemoryStore[] = [];
function openStore(path = join(temporaryFolder(), 'deep', 'memory.db')): MemoryStore {
  const store = new MemoryStore(path);
  open.push(store);
  return store;
}
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

const memory = (text: string, file: string | null = null, blob: string | null = null) =>
  ({ kind: 'learning', text, file, blob, at: '2026-01-01T00:00:00.000Z' }) as const;

describe('memory', () => {
  test('added twice is stored once, and is found by its words, the best first', () => {
    const path = join(temporaryFolder(), 'memory.db');
    const store = openStore(path);
    const [first] = store.add([
      memory('Dates are in UTC'),
      memory('Sums are rounded'),
      memory('dates  are in utc'),
    ]);
    store.add([memory('Dates are in UTC')]);
    expect(
      openStore(path)
        .search('utc dates', 5)
        .map(({ id }) => id),
    ).toEqual([first?.id]);
    expect(store.search('are', 1)).toHaveLength(1);
    expect(store.search('are', 5)).toHaveLength(2);
  });

  test.each(['"', 'a"b OR c', 'NEAR(', '*', 'text:', "'; DROP TABLE memory; --", ''])(
    '%j is an ordinary query',
    (words) => {
      const store = openStore();
      store.add([memory('Dates are in UTC')]);
      expect(store.search(words, 5)).toEqual([]);
      expect(store.search('utc', 5)).toHaveLength(1);
    },
  );

  test('is forgotten, once', () => {
    const store = openStore();
    const [added] = store.add([memory('Dates are in UTC')]);
    expect(store.forget(added?.id ?? '')?.text).toBe('Dates are in UTC');
    expect(store.forget(added?.id ?? '')).toBeNull();
    expect(store.search('utc', 5)).toEqual([]);
  });

  test('expires when the cited code has changed, and at most five are recalled, as hints', () => {
    const store = openStore();
    const blobOf = (path: string) => (path === 'a.ts' ? 'now' : null);
    store.add([
      memory('about one', 'a.ts', 'now'),
      memory('about two', 'a.ts', 'then'),
      memory('about three', 'gone.ts', 'x'),
    ]);
    store.add(Array.from({ length: 7 }, (_, index) => memory(`about number ${index}`)));
    const found = store.search('about', 20);
    expect(
      found
        .filter((each) => isExpired(each, blobOf))
        .map(({ text }) => text)
        .sort(),
    ).toEqual(['about three', 'about two']);
    const lines = recalled(found, blobOf);
    expect(lines).toHaveLength(5);
    expect(lines.every((line) => line.startsWith('a person noted'))).toBe(true);
    expect(recalled(found, () => null).some((line) => line.includes('one'))).toBe(false);
  });

  test('keeps accepted findings and rejected preferences, never the rejection of a blocking finding', () => {
    const finding = (id: string, changes: object = {}) =>
      RawFinding.parse({
        id,
        fingerprint: id,
        severity: 'minor',
        file: 'a.ts',
        issue: id,
        reviewers: ['x'],
        ...changes,
      });
    const findings = [
      finding('kept'),
      finding('style'),
      finding('danger', { severity: 'blocking' }),
      finding('ghost', { unverified: 'no' }),
      finding('later'),
    ];
    const entry = (id: string) => ({ id, reason: 'because' });
    const triage = Triage.parse({
      accepted: [entry('kept'), entry('ghost'), entry('unknown')],
      deferred: [entry('later')],
      rejected: [entry('style'), entry('danger')],
      approved: true,
    });
    const stored = memoriesOf({ findings, triage }, () => 'blob', 'now');
    expect(stored).toEqual([
      { kind: 'finding', text: 'kept', file: 'a.ts', blob: 'blob', at: 'now' },
      { kind: 'preference', text: 'style Rejected: because', file: 'a.ts', blob: 'blob', at: 'now' },
    ]);
    expect(memoriesOf({ findings, triage: null }, () => 'blob', 'now')).toEqual([]);
  });
});
