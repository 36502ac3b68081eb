import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNpm } from '#bin/bootstrap.js';
import { root } from '#scripts/root.ts';
import { type Files, GitRepository, repositoryWith } from '../support/git-repository.ts';
import { runNode } from '../support/joinery.ts';

const home = join(tmpdir(), `joinery-packed-${process.pid}`);
const installed = join(home, 'node_modules', 'joinery');

/** Packs for real, and installs the result as npm would: with the declared dependencies and no others. */
beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  execFileSync(process.execPath, [findNpm() ?? '', 'pack', '--silent', '--pack-destination', home], {
    cwd: root,
  });
  const { version, dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  execFileSync('tar', [
    '-xzf',
    join(home, `joinery-${version}.tgz`),
    '-C',
    installed,
    '--strip-components=1',
  ]);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const link = join(home, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const packed = (args: readonly string[], cwd?: string) =>
  runNode([join(installed, 'bin', 'joinery.js'), ...args], cwd === undefined ? {} : { cwd });

test('the packed package runs without the sources', async () => {
  expect(await packed(['--version'])).toMatchObject({ code: 0 });
  expect(await packed(['check', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Usage:'),
  });
  const outcome = await packed(['doctor', '--json'], repositoryWith({}));
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(outcome.stdout).status).toBe('pass');
});

test('the packed package has its prompts and templates', async () => {
  const repository = repositoryWith({});
  const role = await packed(['roles', 'architect'], repository);
  expect(role).toMatchObject({ code: 0, stdout: expect.stringContaining('# You are the architect') });
  expect(await packed(['spec', 'new', 'rfc', 'x'], repository)).toMatchObject({ code: 0, stderr: '' });
});

/** Enough new files for a second thread, two languages, and a compiler of our own. */
test('the packed package has its parsers, threads, checkers and gates beside it', async () => {
  const many = Array.from({ length: 1000 }, (_, at) => [
    `src/many/m${at}.ts`,
    `export const m${at} = ${at};\n`,
  ]);
  const repository = new GitRepository();
  repository.commit({
    'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, types: [] }, include: ['src'] }),
    'AGENTS.md': '# Guide\n\n## Quality Gates\n\n- lint: `node --version`\n',
    'src/user.ts':
      'export interface User { name: string }\nexport const load = (): User => ({ name: "" });\n',
    'tool/names.py': 'def full(a):\n    return a\n',
  });
  const branches: Record<string, Files> = {
    nullable: {
      'src/user.ts':
        'export interface User { name: string | null }\nexport const load = (): User => ({ name: "" });\n',
    },
    shout: {
      'src/shout.ts': "import { load } from './user';\nexport const shout = () => load().name.trim();\n",
    },
    renames: { 'tool/names.py': 'def whole(a):\n    return a\n' },
    calls: { 'tool/use.py': 'from tool.names import full\n\nprint(full(1))\n' },
    many: Object.fromEntries(many),
  };
  for (const [name, files] of Object.entries(branches)) repository.branch(name, files);
  const checked = await packed(['check', '--json', 'main', ...Object.keys(branches)], repository.dir);
  // On a busy machine a check of more than 15 seconds says how far it is.
  const progress = /^(?:joinery: [^\n]* \(\d+ s\)\n)*$/;
  expect(checked).toMatchObject({ code: 1, stderr: expect.stringMatching(progress) });
  const { findings, checkers } = JSON.parse(checked.stdout);
  expect(findings.map(({ branches }: { branches: string[] }) => branches.toSorted())).toEqual(
    expect.arrayContaining([
      ['nullable', 'shout'],
      ['calls', 'renames'],
    ]),
  );
  expect(checkers).toEqual([expect.objectContaining({ name: 'typescript' })]);
  expect(await packed(['gates'], repository.dir)).toMatchObject({ code: 0 });
}, 120_000);

test('the packed package reads data formats and every language with a grammar', async () => {
  const repository = new GitRepository();
  repository.commit({
    'db/001.sql': 'CREATE TABLE users (id int, name text);\n',
    'schema.graphql': 'type User { id: ID! name: String }\ntype Query { user: User }\n',
    'api/shop.proto': 'syntax = "proto3";\nmessage Order { string id = 1; }\n',
    'prisma/schema.prisma': 'model Order {\n  id Int @id\n}\n',
    'openapi.yaml': 'openapi: 3.0.0\npaths: {}\n',
  });
  repository.branch('renames', {
    'db/002.sql': 'ALTER TABLE users RENAME COLUMN name TO title;\n',
    'schema.graphql': 'type User { id: ID! title: String }\ntype Query { user: User }\n',
    'api/shop.proto': 'syntax = "proto3";\nmessage Order { string id = 1; string note = 2; }\n',
    'prisma/schema.prisma': 'model Order {\n  id Int @id\n  note String\n}\n',
    'openapi.yaml': 'openapi: 3.0.0\npaths:\n  /users: {}\n',
  });
  const sources = ['a.go', 'A.java', 'a.rs', 'a.php', 'A.cs', 'a.rb'].map((name) => [`src/${name}`, '']);
  repository.branch('uses', {
    'db/003.sql': 'CREATE VIEW report AS SELECT name FROM users;\n',
    // Only MySQL's parser reads this one.
    'db/004.sql': 'CREATE TABLE `logs` (`id` int unsigned NOT NULL AUTO_INCREMENT) ENGINE=InnoDB;\n',
    'query.graphql': '{ user { name } }\n',
    ...Object.fromEntries(sources),
  });
  const { code, stdout, stderr } = await packed(
    ['check', '--json', 'main', 'renames', 'uses'],
    repository.dir,
  );
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  const found = JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule);
  expect(found).toEqual(expect.arrayContaining(['C05', 'C08']));
});

test('the package names the licences of the bundled code', () => {
  const text = readFileSync(join(installed, 'dist', 'THIRD-PARTY-LICENSES'), 'utf8');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of ['jsonc-parser', 'smol-toml', 'zod']) {
    expect(text).toContain(`${name}\n\n`);
    expect(dependencies).not.toHaveProperty(name);
  }
});

test('the package contains what people need and no development files', () => {
  const list = execFileSync('find', ['.', '-type', 'f'], { cwd: installed, encoding: 'utf8' }).split('\n');
  expect(list).toEqual(expect.arrayContaining(['./README.md', './LICENSE', './schemas/config.schema.json']));
  expect(list.filter((path) => /\.test\.|fixtures|^\.\/(src|test|scripts)\//.test(path))).toEqual([]);
});
