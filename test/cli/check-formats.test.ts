import { expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

async function check(files: Record<string, string>) {
  const repository = new GitRepository();
  repository.commit({ 'README.md': 'shop\n' });
  repository.branch('a', files);
  repository.branch('b', { 'docs/b.md': 'b\n' });
  const { code, stdout } = await joinery(['check', '--json', 'main', 'a', 'b'], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: temporaryFolder() },
  });
  return { code, report: CheckReport.parse(JSON.parse(stdout)) };
}

test('a file that the parser of its format cannot read makes the check inconclusive', async () => {
  const broken = {
    'api/openapi.json': '{ "openapi": "3.1.0",\n"paths": { "/a": { "get": { ] } }\n',
    'api/openapi.yaml': 'openapi: 3.1.0\ninfo: { title: Shop, version: "1"\npaths: {}\n',
    'db/migrations/0001_a.sql': 'CREATE TABLE a (b int;\n',
    'db/queries/users.sql': 'SELECT FROM WHERE;\n',
    'prisma/schema.prisma': 'model {{{\n',
    'schema/shop.graphql': 'type {\n',
    'schema/shop.proto': 'syntax = "proto3";\nmessage A {\n  string = ;\n}\n',
  };
  const { code, report } = await check(broken);
  expect(code).toBe(2);
  expect(report.status).toBe('undecided');
  expect(report.inconclusive.map(({ file }) => file).toSorted()).toEqual(Object.keys(broken));
});

test('SQL of MySQL and SQLite is read, templates and dumps are listed', async () => {
  const { code, report } = await check({
    'mysql/migrations/0001_a.sql': 'CREATE TABLE `a` (`b` int unsigned) ENGINE=InnoDB;\n',
    'sqlite/migrations/0001_a.sql': 'PRAGMA foreign_keys=ON;\nCREATE TABLE a (b) WITHOUT ROWID;\n',
    'models/report.sql': 'SELECT * FROM {{ ref("users") }}\n',
    'dump.sql': `INSERT INTO a VALUES ${'(1),'.repeat(260_000)}(2);\n`,
    'chart/openapi.yaml': 'openapi: 3.1.0\ninfo: {{ .Values.info | toYaml }}\n  x: 1\n',
  });
  expect(report.inconclusive).toEqual([]);
  expect(code).toBe(0);
  expect(
    report.degraded.filter(({ check }) => check === 'C08').map(({ reason }) => reason.split(' ')[0]),
  ).toEqual(['chart/openapi.yaml', 'dump.sql', 'models/report.sql']);
});
