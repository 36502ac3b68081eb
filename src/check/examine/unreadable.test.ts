import { describe, expect, test } from 'vitest';
import { checkIn } from '#test/support/check-in.ts';
import { type Files, GitRepository } from '#test/support/git-repository.ts';

/** What the check says about branches `a` and `b`, which both start from the first commit of main. */
async function check(before: Files, a: Files, b: Files, main: Files | null = null) {
  const repository = new GitRepository();
  repository.commit(before);
  repository.branch('a', a);
  repository.branch('b', b);
  if (main) repository.commit(main);
  const { status, inconclusive, coverage, findings, landable } = await checkIn(repository, 'main', 'a', 'b');
  return {
    status,
    unread: inconclusive.map(({ file }) => file),
    unparsed: coverage?.unparsed,
    rules: findings.map(({ rule }) => rule),
    landable,
  };
}

const elsewhere = { 'README.md': '# b\n' };

describe('a file that did not parse before the branch either', () => {
  test.each([
    { path: 'old.py', text: "print 'x'\n" },
    { path: 'src/routes.ts', text: "app.get('/users', (\n" },
    { path: 'main.go', text: 'package main\n\nfunc {\n' },
    { path: 'db/migrations/0002_a.sql', text: 'ALTER TABEL t ADD c int;\n' },
    { path: 'schema.graphql', text: 'type User {\n  id ID\n}\n' },
    { path: 'api/shop.proto', text: 'syntax = "proto3";\nmessage {\n' },
    { path: 'prisma/schema.prisma', text: 'model User {\n  id Int @id)\n}\n' },
    { path: 'openapi.yaml', text: 'openapi: 3.1.0\npaths: {a: [\n' },
  ])('is compared as text only, and the report says so: $path', async ({ path, text }) => {
    expect(await check({ [path]: text }, { [path]: `\n${text}` }, elsewhere)).toEqual({
      status: 'pass',
      unread: [],
      unparsed: [path],
      rules: [],
      landable: ['a', 'b'],
    });
  });

  test('may be renamed', async () => {
    const text = 'print 1\n'.repeat(20);
    const found = await check(
      { 'old.py': text },
      { 'old.py': null, 'moved.py': `${text}print 2\n` },
      elsewhere,
    );
    expect(found).toMatchObject({ status: 'pass', unparsed: ['moved.py'] });
  });

  test('still has text conflicts', async () => {
    const found = await check(
      { 'old.py': 'print 1\n' },
      { 'old.py': 'print 2\n' },
      { 'old.py': 'print 3\n' },
    );
    expect(found).toMatchObject({ status: 'fail', rules: ['T01'], unparsed: ['old.py'] });
  });

  test('still has names that disappear', async () => {
    const found = await check(
      {
        'one.py': "print 'shipping_address'\n",
        'two.py': "print 'shipping_address'\n",
        'three.py': "print 'x'\n",
      },
      { 'one.py': "print 'postal_address'\n", 'two.py': "print 'postal_address'\n" },
      { 'three.py': "print 'shipping_address'\n" },
    );
    expect(found).toMatchObject({ rules: ['N01'], unparsed: ['one.py', 'three.py', 'two.py'] });
  });

  test('proves nothing about the names it defines', async () => {
    const found = await check(
      { 'old.py': 'print 1\ndef first(): pass\n', 'use.py': 'x = 1\n' },
      { 'old.py': 'print 1\ndef second(): pass\n' },
      { 'use.py': 'from old import first\n\nfirst()\n' },
    );
    expect(found.rules.filter((rule) => rule.startsWith('S'))).toEqual([]);
  });

  test('is text where main has repaired it since', async () => {
    const lines = (first: string, last: string) => `${first}${'\n'.repeat(6)}${last}`;
    const found = await check(
      { 'old.py': lines('print 1', 'x = 1\n') },
      { 'old.py': lines('print 1', 'x = 2\n') },
      elsewhere,
      { 'old.py': lines('print(1)', 'x = 1\n') },
    );
    expect(found).toMatchObject({ status: 'pass', unparsed: ['old.py'] });
  });
});

describe('a file that did not parse before and that another branch repairs', () => {
  const lines = (first: string, last: string) => `${first}${'\n'.repeat(6)}${last}\n`;
  const before = { 'old.py': lines('print 1', 'def load(x): pass') };
  const changed = { 'old.py': lines('print 1', 'def load(x, y): pass') };

  test('is inconclusive: with both branches it is code', async () => {
    const repaired = { 'old.py': lines('print(1)', 'def load(x): pass') };
    const found = await check(before, changed, repaired);
    expect(found).toMatchObject({ status: 'undecided', unread: ['old.py'], landable: ['b'] });
    expect(found.unparsed).toBeUndefined();
  });

  test('is text where the other branch does not repair it', async () => {
    const other = { 'old.py': lines('print 2', 'def load(x): pass') };
    expect(await check(before, changed, other)).toMatchObject({ status: 'pass', unparsed: ['old.py'] });
  });
});

describe('a file that a branch broke', () => {
  test('is inconclusive, whatever else does not parse', async () => {
    const found = await check(
      { 'good.py': 'x = 1\n', 'old.py': 'print 1\n' },
      { 'good.py': 'x = (\n', 'old.py': 'print 2\n' },
      elsewhere,
    );
    expect(found).toMatchObject({
      status: 'undecided',
      unread: ['good.py'],
      unparsed: ['old.py'],
      landable: ['b'],
    });
  });

  test('is inconclusive where it was renamed too', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `x${index} = ${index}\n`).join('');
    const found = await check(
      { 'good.py': lines },
      { 'good.py': null, 'moved.py': `${lines}y = (\n` },
      elsewhere,
    );
    expect(found).toMatchObject({ status: 'undecided', unread: ['moved.py'] });
  });
});

describe('a new file that does not parse', () => {
  /** Files of which the first ones do not parse. */
  const files = (broken: number, all: number): Files =>
    Object.fromEntries(
      Array.from({ length: all }, (_, index) => [
        `app/m${index}.py`,
        index < broken ? 'print 1\n' : `x = ${index}\n`,
      ]),
    );
  const added = { 'app/new.py': 'print 1\n' };

  test('is text where one in ten files of its kind does not parse', async () => {
    expect(await check(files(3, 30), added, elsewhere)).toMatchObject({
      status: 'pass',
      unparsed: ['app/new.py'],
    });
  });

  test('is compared with its neighbours, not with files far away', async () => {
    const far = Object.fromEntries(
      Array.from({ length: 110 }, (_, index) => [`a/b/m${index}.py`, `x = ${index}\n`]),
    );
    const near = { 'one.py': 'print 1\n', 'z/two.py': 'print 2\n', 'z/three.py': 'print 3\n' };
    const found = await check({ ...far, ...near }, { 'new.py': 'print 1\n' }, elsewhere);
    expect(found).toMatchObject({ status: 'undecided' });
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`z/old${index}.py`, 'print 1\n']),
    );
    expect(await check({ ...far, ...many }, { 'new.py': 'print 1\n' }, elsewhere)).toMatchObject({
      status: 'pass',
    });
  });

  test.each([
    ['nearly all others parse', files(3, 31)],
    ['too few others show what is usual', files(2, 2)],
    ['only files of other kinds do not parse', { 'a.ts': '(\n', 'b.ts': '(\n', 'c.ts': '(\n' }],
  ])('is inconclusive where %s', async (_, before) => {
    expect(await check(before, added, elsewhere)).toMatchObject({
      status: 'undecided',
      unread: ['app/new.py'],
    });
  });
});
