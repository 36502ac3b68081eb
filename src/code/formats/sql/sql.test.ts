import { expect, test } from 'vitest';
import { readSql, readSqlString } from './index.ts';

const at = 'db/migrations/0001_x.sql';

test('a migration is a list of steps with their lines', async () => {
  const facts = await readSql(
    at,
    `CREATE TABLE public.users (
  id serial PRIMARY KEY,
  name varchar(20) NOT NULL
);
ALTER TABLE users
  RENAME COLUMN name TO full_name;
ALTER TABLE users ADD COLUMN IF NOT EXISTS plan int DEFAULT 0, DROP COLUMN age;
CREATE UNIQUE INDEX users_plan ON users (plan);
DROP TABLE IF EXISTS billing.old;
`,
  );
  expect(facts?.steps).toMatchObject([
    {
      op: 'create table',
      table: 'users',
      line: 1,
      columns: [
        { name: 'id', type: 'serial', required: true, line: 2 },
        { name: 'name', type: 'varchar(20)', required: true, line: 3 },
      ],
    },
    { op: 'rename column', table: 'users', name: 'name', to: 'full_name', line: 5 },
    { op: 'add column', table: 'users', name: 'plan', type: 'integer', guarded: true, line: 7 },
    { op: 'drop column', table: 'users', name: 'age', line: 7 },
    { op: 'create index', table: 'users', name: 'users_plan', line: 8 },
    { op: 'use', table: 'users', name: 'plan', line: 8 },
    { op: 'drop table', table: 'billing.old', guarded: true, line: 9 },
  ]);
});

test('columns count only where their table is certain', async () => {
  const facts = await readSql(
    'queries/users.sql',
    `-- ä: bytes are not characters
SELECT u.name, plan, total AS sum FROM users u JOIN orders o ON o.user_id = u.id WHERE plan > 1 ORDER BY sum;
WITH recent AS (SELECT id FROM orders) SELECT r.id, id FROM recent r;
SELECT age FROM users WHERE id IN (SELECT user_id FROM orders WHERE age > 3);
`,
  );
  const named = facts?.uses?.map(({ of, name, line }) => `${of}.${name}:${line}`);
  expect(named).toEqual([
    'users.name:2',
    'orders.user_id:2',
    'users.id:2',
    'orders.id:3',
    'users.age:4',
    'users.id:4',
  ]);
});

test('the backward part is left out', async () => {
  expect(await readSql('m/1_x.down.sql', 'DROP TABLE a;')).toBeNull();
  const facts = await readSql(
    at,
    '-- migrate:up\nCREATE TABLE a (id int);\n-- migrate:down\nDROP TABLE a;\n',
  );
  expect(facts?.steps?.map(({ op }) => op)).toEqual(['create table']);
});

test('a text that cannot be parsed reports an error', async () => {
  expect(await readSql(at, 'CREATE TABLE a (id int);\nCREATE TABEL b;\n')).toMatchObject({
    problem: { line: 2 },
  });
  expect(await readSql(at, 'SELECT * FROM {{ ref("a") }}')).toMatchObject({ problem: { line: 1 } });
  expect(await readSql(at, '')).toMatchObject({ steps: [] });
});

test('data of a dump is not SQL', async () => {
  const facts = await readSql(
    'db/schema.sql',
    '\\connect x\nCREATE TABLE a (id int);\nCOPY a (id) FROM stdin;\n1\n\\.\nSELECT id FROM a;\n',
  );
  expect(facts).toMatchObject({
    entities: [{ name: 'a', line: 2 }],
    uses: [{ of: 'a', name: 'id', line: 6 }],
  });
});

test('a query in a string has placeholders of drivers', async () => {
  const uses = await readSqlString('SELECT name FROM users WHERE id = %s AND plan = :plan AND age > ?', 7);
  expect(uses.map(({ name, line }) => `${name}:${line}`)).toEqual(['name:7', 'id:7', 'plan:7', 'age:7']);
  expect(await readSqlString('select something from the menu, please', 1)).toEqual([]);
});
