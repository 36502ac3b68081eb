import { describe, expect, test } from 'vitest';
import type { Shape } from '#contract/shapes.ts';
import { applyMigrations } from './migrations.ts';
import { readShapes } from './read-shapes.ts';

/** The tables and models of some files: `{ users: 'id name' }`. */
async function tablesOf(files: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const read = await readShapes(Object.entries(files));
  const shapes = [
    ...read.flatMap((file) => file.shapes),
    ...applyMigrations(read.flatMap(({ steps }) => steps)),
  ];
  return Object.fromEntries(
    shapes.filter(({ table }) => table !== null).map((shape) => [shape.table, fieldsOf(shape)]),
  );
}

function fieldsOf({ fields }: Shape): string {
  return fields
    .map(({ name, aliases: [alias], target }) => `${alias ?? name}${target ? `→${target.name}` : ''}`)
    .join(' ');
}

const users = 'create table users (id int, name text);\n';

describe('tables are read as joinery check reads them', () => {
  test.each<[string, string, Record<string, string>]>([
    ['a drop in a text', "insert into log values ('drop table users');", { users: 'id name' }],
    [
      'a drop in a function',
      'create function f() returns void as $$ drop table users; $$ language sql;',
      { users: 'id name' },
    ],
    [
      'a rename in a DO block',
      'do $$ begin alter table users rename column name to x; end $$;',
      { users: 'id name' },
    ],
    ['a drop in a comment', '/* drop table users; */ -- drop table users;', { users: 'id name' }],
    [
      'two dashes in a text, and a drop behind it',
      "alter table users add column note text default 'a -- b', drop column name;",
      { users: 'id note' },
    ],
    [
      'a semicolon in a text',
      "alter table users add column a text default 'x;y', add b int;",
      { users: 'id name a b' },
    ],
    [
      'two dashes in the text of a table',
      "create table log (a text default '--', b int);",
      { users: 'id name', log: 'a b' },
    ],
    [
      'quoted names with spaces',
      'create table "Order Items" ("Unit Price" int);',
      { users: 'id name', 'Order Items': 'Unit Price' },
    ],
    [
      'a rename',
      'alter table users rename column name to full_name; alter table users rename to people;',
      { people: 'id full_name' },
    ],
    [
      'keys of columns, of the table, and added later',
      `create table a (u int references users(id), v int, w int, foreign key (v) references users(id));
       alter table a add constraint w_key foreign key (w) references users (id);`,
      { users: 'id name', a: 'u→users v→users w→users' },
    ],
    [
      'a table that is made again',
      'drop table if exists users;\ncreate table users (id int);',
      { users: 'id' },
    ],
    [
      'MySQL',
      'create table `a b` (`c` int unsigned, key k (`c`), foreign key (`c`) references users(id)) engine=InnoDB;',
      { users: 'id name', 'a b': 'c→users' },
    ],
  ])('SQL: %s', async (_name, sql, expected) => {
    expect(await tablesOf({ 'db/001.sql': users, 'db/002.sql': sql })).toEqual(expected);
    expect(await tablesOf({ 'schema.sql': `${users}${sql}` })).toEqual(expected);
  });

  test.each<[string, string, Record<string, string>]>([
    ['a named @@map', 'model User {\n  id Int @id\n  @@map(name: "users")\n}\n', { users: 'id' }],
    ['a named @map', 'model User {\n  n Int @map(name: "full name")\n}\n', { User: 'full name' }],
    ['a block comment', 'model User {\n  id Int @id\n  /* old String\n  gone Int */\n}\n', { User: 'id' }],
    [
      'comments at the end of lines',
      'model User { // x Int\n  id Int @id // "/*"\n  b Int /// }\n}\n',
      { User: 'id b' },
    ],
    ['a bracket in a default', 'model User {\n  a String @default("}")\n  b Int\n}\n', { User: 'a b' }],
    [
      'relations',
      'model User {\n  id Int @id\n  posts Post[]\n}\nmodel Post {\n  userId Int\n  user User @relation(fields: [userId], references: [id])\n}\n',
      { User: 'id posts→Post', Post: 'userId→User user→User' },
    ],
  ])('Prisma: %s', async (_name, text, expected) => {
    expect(await tablesOf({ 'schema.prisma': text })).toEqual(expected);
  });

  test('Drizzle, TypeORM, SQLAlchemy, Django, SQLModel and Alembic', async () => {
    const found = await tablesOf({
      'src/a.ts': `// pgTable('no', { x: int() })
        export const users = pgTable('users', { id: serial('id'), note: text('a, b') });
        export const posts = pgTable('posts', { by: integer('by_id').references(() => users.id) });
        @Entity({ name: 'teams' }) export class Team { @Column({ name: 'full_name' }) name: string }`,
      'shop/models.py': `class A(Base):\n    __tablename__ = "as"\n    n = Column("nn", Integer)\n
class B(models.Model):\n    a = models.ForeignKey("A")\n    class Meta:\n        db_table = "bs"\n
class C(SQLModel, table=True):\n    id: int\n`,
      'versions/1.py': `revision = "1"\ndown_revision = None\n
def upgrade():\n    op.create_table("ds", sa.Column("id", sa.Integer), sa.Column("a_id", sa.Integer, sa.ForeignKey("as.id")))\n    op.execute("drop table as")\n
def downgrade():\n    op.drop_table("ds")\n`,
    });
    expect(found).toEqual({
      users: 'id a, b',
      posts: 'by_id→users',
      teams: 'full_name',
      as: 'nn',
      bs: 'a_id→A',
      c: 'id',
      ds: 'id a_id→as',
    });
  });

  test('what no parser reads is a problem, not a table without columns', async () => {
    const files = [['db/1.sql', 'alter tabel users;'] as const, ['schema.prisma', 'model {{{'] as const];
    expect(await readShapes(files)).toMatchObject([{ hidesTables: true }, { hidesTables: true }]);
  });
});
