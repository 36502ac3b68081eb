import { expect, test } from 'vitest';
import { readSql, readSqlString } from './index.ts';

const at = 'db/migrations/0001_x.sql';

test('a MySQL migration', async () => {
  const facts = await readSql(
    at,
    `SET FOREIGN_KEY_CHECKS=0;
/*!40101 SET NAMES utf8 */;
CREATE TABLE \`users\` (
  \`id\` int unsigned NOT NULL AUTO_INCREMENT,
  \`name\` varchar(20) COLLATE utf8mb4_bin DEFAULT NULL, -- not; the end
  \`at\` datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  PRIMARY KEY (\`id\`), UNIQUE KEY \`by_name\` (\`name\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='a; b';
ALTER TABLE Users ADD COLUMN plan enum('a','b') NOT NULL DEFAULT 'a' AFTER name,
  DROP COLUMN \`Old\`, CHANGE COLUMN mail email varchar(3), MODIFY COLUMN age bigint;
RENAME TABLE \`a\` TO \`b\`;
DROP INDEX by_name ON users;
DELIMITER //
CREATE TRIGGER t BEFORE INSERT ON users FOR EACH ROW BEGIN SET NEW.name = 'x'; END//
DELIMITER ;
UPDATE \`users\` SET \`name\` = "plan" WHERE id = 1;
`,
  );
  expect(facts?.problem).toBeUndefined();
  expect(facts?.steps).toMatchObject([
    {
      op: 'create table',
      table: 'users',
      line: 3,
      columns: [
        { name: 'id', type: 'integer unsigned', required: true, line: 4 },
        { name: 'name', type: 'varchar(20)', required: false, line: 5 },
        { name: 'at', type: 'datetime(3)', required: true, line: 6 },
      ],
    },
    { op: 'create index', table: 'users', name: 'users.by_name', line: 7 },
    { op: 'add column', table: 'users', name: 'plan', type: 'enum', required: true, line: 9 },
    { op: 'drop column', table: 'users', name: 'Old', line: 10 },
    { op: 'rename column', table: 'users', name: 'mail', to: 'email', line: 10 },
    { op: 'alter column', table: 'users', name: 'age', type: 'bigint', line: 10 },
    { op: 'rename table', table: 'a', to: 'b', line: 11 },
    { op: 'drop index', table: 'users', name: 'users.by_name', line: 12 },
    { op: 'use', table: 'users', name: 'name', line: 16 },
    { op: 'use', table: 'users', name: 'id', line: 16 },
  ]);
});

test('an SQLite migration', async () => {
  const facts = await readSql(
    at,
    `PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE \`__new_users\` (
  \`id\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  \`name\` text NOT NULL
);
--> statement-breakpoint
INSERT INTO \`__new_users\`("id", "name") SELECT "id", "name" FROM \`users\`;
DROP TABLE \`users\`;
ALTER TABLE \`__new_users\` RENAME TO \`users\`;
CREATE TABLE [odd] ([a], b) WITHOUT ROWID;
ALTER TABLE Users ADD plan text;
CREATE TRIGGER tr AFTER INSERT ON users BEGIN UPDATE users SET name = 'x'; END;
CREATE UNIQUE INDEX IF NOT EXISTS \`by_name\` ON \`users\` (\`name\`);
`,
  );
  expect(facts?.problem).toBeUndefined();
  expect(facts?.steps?.filter(({ op }) => op !== 'use')).toMatchObject([
    {
      op: 'create table',
      table: '__new_users',
      line: 2,
      columns: [
        { name: 'id', type: 'integer', required: true, line: 3 },
        { name: 'name', type: 'text', required: true, line: 4 },
      ],
    },
    { op: 'drop table', table: 'users', line: 8 },
    { op: 'rename table', table: '__new_users', to: 'users', line: 9 },
    { op: 'create table', table: 'odd', line: 10, columns: [{ name: 'a' }, { name: 'b', type: null }] },
    { op: 'add column', table: 'users', name: 'plan', type: 'text', line: 11 },
    { op: 'create index', table: 'users', name: 'by_name', guarded: true, line: 13 },
  ]);
});

test('queries of both', async () => {
  const named = async (sql: string) =>
    (await readSql('queries/q.sql', sql))?.uses?.map(({ of, name, line }) => `${of}.${name}:${line}`);
  expect(
    await named(
      'SELECT u.`name`, total AS sum FROM `users` u\n JOIN orders o ON o.user_id = u.id ORDER BY sum;\nSELECT `age` FROM `users` WHERE id IN (SELECT user_id FROM orders WHERE age > 3);',
    ),
  ).toEqual(['users.name:1', 'orders.user_id:2', 'users.id:2', 'users.age:3', 'users.id:3']);
  expect(await named('INSERT OR REPLACE INTO users (name) VALUES (?1);')).toEqual(['users.name:1']);
  expect(await readSqlString('UPDATE `users` SET `name` = ? WHERE id = 1', 7)).toMatchObject([
    { of: 'users', name: 'name', line: 7 },
    { of: 'users', name: 'id', line: 7 },
  ]);
});

test('a table option does not hide the rest of the statement', async () => {
  const quiet = await readSql(at, "ALTER TABLE `a` ENGINE=InnoDB;\nALTER TABLE `a` COMMENT = 'old';");
  expect(quiet).toMatchObject({ steps: [] });
  const text = 'ALTER TABLE `a` ENGINE=InnoDB, DROP COLUMN `b`;';
  const { steps = [], problem } = (await readSql(at, text)) ?? {};
  expect(problem ? 'told' : steps.map(({ op }) => op)).toEqual(['drop column']);
});

test('a statement that no parser accepts is a problem with its line', async () => {
  expect(await readSql(at, 'CREATE TABLE `a` (`b` int);\n\nALTER TABLE `a` FROB `b`;')).toMatchObject({
    problem: { line: 3 },
  });
  expect(await readSql(at, 'SELEC 1;')).toMatchObject({ problem: { line: 1 } });
  expect(await readSql(at, "PRAGMA x=1;\nCREATE TABLE a (b text DEFAULT 'never ends);")).toMatchObject({
    problem: { line: 2 },
  });
});

test('long or unterminated text takes no extra time', async () => {
  const began = performance.now();
  const rows = Array.from({ length: 20_000 }, (_, index) => `(${index}, 'x;')`).join(',\n');
  expect(
    (await readSql(at, `CREATE TABLE \`a\` (\`b\` int);\nINSERT INTO \`a\` VALUES ${rows};`))?.steps,
  ).toHaveLength(1);
  for (const text of ['/* ', "'", 'CREATE TRIGGER x BEGIN ;', '-- x\n', '`'])
    await readSql(at, `PRAGMA x=1;\n${text.repeat(200_000 / text.length)}`);
  expect(performance.now() - began).toBeLessThan(10_000);
});
