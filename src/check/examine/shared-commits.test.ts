import { expect, test } from 'vitest';
import { checkIn } from '#test/support/check-in.ts';
import { GitRepository } from '#test/support/git-repository.ts';

const manifest = { 'package.json': '{"name":"shop","dependencies":{"express":"5"}}\n' };
const start = "import express from 'express';\nexport const app = express();\n";
const route = "app.get('/users', (request, answer) => answer.json([]));\n";
const far = Array.from({ length: 9 }, (_, at) => `export const gap${at} = ${at};\n`).join('');
const routes = `${start}
${route}
export const port = 1;
`;
const migration = 'CREATE TABLE orders (id int, total int);\n\n\n-- orders\n';
const tests =
  "import { test } from 'vitest';\n\ntest('orders are listed', () => {});\n\n// tests of orders\n";
const shared = { 'app.ts': routes, 'migrations/0002.sql': migration, 'orders.test.ts': tests };
const above = mapped((text) => `${text.startsWith('CREATE') ? '--' : '//'} above\n${text}`);
const below = mapped((text) => `${text}${text.startsWith('CREATE') ? '--' : '//'} below\n`);

function mapped(edit: (text: string) => string) {
  return Object.fromEntries(Object.entries(shared).map(([path, text]) => [path, edit(text)]));
}

function project(): GitRepository {
  const repository = new GitRepository();
  repository.commit({ ...manifest, 'app.ts': start });
  return repository;
}

test('what two branches share beyond base is no collision', async () => {
  const repository = project();
  repository.branch('shared', shared);
  repository.branch('a', above, 'shared');
  repository.branch('b', below, 'shared');
  const report = await checkIn(repository, 'main', 'a', 'b');
  expect(report).toMatchObject({ status: 'pass', findings: [], landable: ['a', 'b'] });
});

test('… nor is it where base has moved', async () => {
  const repository = project();
  repository.branch('shared', shared);
  repository.branch('a', above, 'shared');
  repository.branch('b', below, 'shared');
  repository.commit({ 'elsewhere.txt': 'main has moved\n' });
  expect((await checkIn(repository, 'main', 'a', 'b')).findings).toEqual([]);
});

test('a commit that both branches picked is no collision', async () => {
  const repository = new GitRepository();
  repository.commit({ ...manifest, 'app.ts': `${start}${far}` });
  const picked = `${start}${far.replace('gap4', `gap4b = 0;\n${route}export const gap4`)}`;
  repository.branch('a', { 'app.ts': `// of a\n${picked}` });
  repository.branch('b', { 'app.ts': `${picked}// of b\n` });
  expect((await checkIn(repository, 'main', 'a', 'b')).findings).toEqual([]);
});

test('a route that each branch registers in its own place is one', async () => {
  const repository = new GitRepository();
  repository.commit({ ...manifest, 'app.ts': `${start}${far}` });
  repository.branch('a', { 'app.ts': `${start}${route}${far}` });
  repository.branch('b', { 'app.ts': `${start}${far}${route}` });
  const { findings } = await checkIn(repository, 'main', 'a', 'b');
  expect(findings).toMatchObject([{ rule: 'C01', severity: 'blocking', branches: ['a', 'b'] }]);
});

test('a branch that takes away what both share clashes with one that starts to use it', async () => {
  const repository = project();
  repository.branch('shared', shared);
  repository.branch(
    'a',
    { 'migrations/0003.sql': 'ALTER TABLE orders RENAME COLUMN total TO amount;\n' },
    'shared',
  );
  repository.branch('b', { 'migrations/0004.sql': 'CREATE INDEX by_total ON orders (total);\n' }, 'shared');
  const { findings } = await checkIn(repository, 'main', 'a', 'b');
  expect(findings).toMatchObject([{ rule: 'M02', branches: ['a', 'b'] }]);
});
