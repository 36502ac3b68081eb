import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { FactsStore } from './facts-store.ts';

test('starts over when an older build has recreated its table in the meantime', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joinery-facts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'facts.db');
  const store = new FactsStore(path, 2 ** 30);
  const older = new DatabaseSync(path);
  older.exec('DROP TABLE facts; CREATE TABLE facts (blob TEXT, used INTEGER, payload BLOB)');
  older.close();
  store.write([{ key: 'one', packed: Buffer.from('facts') }]);
  expect(store.problem).toBeNull();
  expect(store.read(['one', 'two'])).toEqual([Buffer.from('facts'), null]);
  store.close();
});
