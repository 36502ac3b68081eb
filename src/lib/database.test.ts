import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { isDamagedDatabase, openDatabase, removeDatabase, resultCode } from './database.ts';

const folder = mkdtempSync(join(tmpdir(), 'joinery-test-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('opens a database in a folder that does not exist yet, with a write-ahead log', () => {
  const path = join(folder, 'deep', 'a.sqlite');
  const database = openDatabase(path, { synchronous: 'OFF', before: 'PRAGMA page_size = 16384' });
  database.exec('CREATE TABLE t (x)');
  expect(database.prepare('PRAGMA journal_mode').get()?.journal_mode).toBe('wal');
  expect(database.prepare('PRAGMA page_size').get()?.page_size).toBe(16384);
  database.close();
  removeDatabase(path);
  expect(existsSync(path)).toBe(false);
});

test('a file that is not a database is damaged', () => {
  const path = join(folder, 'text', 'b.sqlite');
  openDatabase(path, { synchronous: 'OFF' }).close();
  writeFileSync(path, 'this is a text and no database, whatever its name says\n'.repeat(100));
  expect(damageOf(() => openDatabase(path, { synchronous: 'OFF' }))).toBe(true);
});

test('extended codes count by their primary code; a wrong statement is not damage', () => {
  expect(resultCode({ errcode: 779 })).toBe(11);
  expect(isDamagedDatabase({ errcode: 267 })).toBe(true);
  const database = openDatabase(join(folder, 'c.sqlite'), { synchronous: 'FULL' });
  expect(damageOf(() => database.exec('SELECT * FROM missing'))).toBe(false);
  database.close();
  expect(isDamagedDatabase(new Error('database disk image is malformed'))).toBe(false);
  expect(isDamagedDatabase(null)).toBe(false);
});

function damageOf(work: () => unknown): boolean | null {
  try {
    work();
    return null;
  } catch (error) {
    return isDamagedDatabase(error);
  }
}
