import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Evidence } from '#schema/gates.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { openEvidenceStore } from './store.ts';

function evidence(id: string, more: Partial<Evidence> = {}): Evidence {
  return {
    schema: 'joinery/evidence@1',
    id,
    at: '2026-01-01T00:00:00.000Z',
    claim: 'lint',
    gate: 'lint',
    command: 'x',
    tree: 'a'.repeat(40),
    treeAfter: 'a'.repeat(40),
    outcome: 'exited',
    exitCode: 0,
    signal: null,
    log: { file: 'x', bytes: 0, sha256: '0'.repeat(64), isCut: false },
    tests: null,
    markers: [],
    incidents: [],
    tools: {},
    wallMs: 1,
    run: null,
    task: null,
    attempt: null,
    ...more,
  };
}

test('a truncated record does not damage the others', () => {
  const root = temporaryFolder();
  const store = openEvidenceStore(root);
  store.append(evidence('one'));
  appendFileSync(join(store.folder, 'evidence.jsonl'), '{"schema":"joinery/evidence@1","id":"torn');
  store.append(evidence('two'));
  expect(
    openEvidenceStore(root)
      .all()
      .map(({ id }) => id),
  ).toEqual(['one', 'two']);
});

test('the records of one task are found among all', () => {
  const store = openEvidenceStore(temporaryFolder());
  store.append(evidence('other', { run: 'r', task: 'b' }));
  store.append(evidence('own', { run: 'r', task: 'a', command: 'echo "task":"b"' }));
  store.append(evidence('older', { run: 'q', task: 'a' }));
  expect(store.all({ run: 'r', task: 'a' }).map(({ id }) => id)).toEqual(['own']);
  expect(store.all()).toHaveLength(3);
});

test('old logs are removed to make room for new ones', () => {
  const store = openEvidenceStore(temporaryFolder());
  const logs = join(store.folder, 'logs');
  for (let n = 0; n < 450; n++)
    writeFileSync(join(logs, `20260101T${String(n).padStart(6, '0')}-x.log`), 'x');
  const fresh = store.newLog('2026-11-15T12:00:00.000Z', 'backend/test');
  expect(fresh).toMatch(/20261115T120000000-\d+-\d+-backend-test\.log$/);
  const left = readdirSync(logs).sort();
  expect(left).toHaveLength(400);
  expect(left[0]).toBe('20260101T000050-x.log');
});

test('a pipe in the place of the evidence is no evidence, and reading it does not block', () => {
  const root = temporaryFolder();
  const store = openEvidenceStore(root);
  execFileSync('mkfifo', [join(store.folder, 'evidence.jsonl')]);
  expect(store.all()).toEqual([]);
});
