import { expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const formats = [
  { path: 'db/migrations/0002_a.sql', text: 'CREATE TABLE t (id int);\nALTER TABEL t ADD c int;\n', line: 2 },
  { path: 'db/migrations/0002_a.sql', text: 'ALTER TABLE `t` ADD COLUMN `c` int;\nALTER `t`;\n', line: 2 },
  { path: 'schema.graphql', text: 'type User {\n  id ID\n}\n', line: 2 },
  { path: 'api/shop.proto', text: 'syntax = "proto3";\nmessage {\n', line: 2 },
  { path: 'prisma/schema.prisma', text: 'model User {\n  id Int @id)\n}\n', line: 2 },
  { path: 'openapi.yaml', text: 'openapi: 3.1.0\npaths: {a: [\n', line: 3 },
  { path: 'app/models.py', text: 'class User(Base):\n    name = Column(\n', line: 2 },
  { path: 'src/routes.ts', text: "app.get('/users', (\n", line: 2 },
];

test.each(formats)(
  'what cannot be parsed is inconclusive, not silent: $path',
  async ({ path, text, line }) => {
    const repository = new GitRepository();
    repository.commit({ 'README.md': '# shop\n' });
    repository.branch('a', { [path]: text });
    repository.branch('b', { 'README.md': '# The shop\n' });
    const { code, stdout } = await joinery(['check', 'main', 'a', 'b', '--confirm', 'none', '--json'], {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: temporaryFolder() },
    });
    const { status, inconclusive } = CheckReport.parse(JSON.parse(stdout));
    expect({ code, status }).toEqual({ code: 2, status: 'undecided' });
    expect(inconclusive).toEqual([
      { file: path, reason: expect.stringMatching(new RegExp(`^on a: line ${line}: `)) },
    ]);
  },
);
