import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { GitRepository } from '#test/support/git-repository.ts';
import type { HostileRepository } from './hostile-repository.ts';
import { add, everywhere } from './kit.ts';

const rows = (count: number, row: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => row(at)).join('');

/** The same large file on both branches, with a different last line. */
const onBoth =
  (path: string, text: string, last: (branch: string) => string) => (repository: GitRepository) => {
    everywhere(repository, { [path]: text });
    for (const branch of ['a', 'b']) add(repository, branch, { [path]: text + last(branch) });
  };

/** Repositories of a third author: texts whose readers compare everything with everything, and files that never end. */
export const thirdRound: readonly HostileRepository[] = [
  {
    name: 'a settings file of 50,000 keys in YAML',
    build: onBoth(
      'config/app.yaml',
      rows(50_000, (at) => `key${at}: ${at}\n`),
      (branch) => `of_${branch}: 1\n`,
    ),
  },
  {
    name: 'a compose file of 20,000 services',
    build: onBoth(
      'docker-compose.yml',
      `services:\n${rows(20_000, (at) => `  s${at}:\n    ports: ["${at + 1000}:80"]\n`)}`,
      (branch) => `  last_${branch}:\n    ports: ["9:80"]\n`,
    ),
  },
  {
    name: 'a cluster of 15,000 documents in one file',
    build: onBoth(
      'k8s/all.yaml',
      rows(15_000, (at) => `kind: Service\nmetadata:\n  name: s${at}\n---\n`),
      (branch) => `kind: Service\nmetadata:\n  name: last-${branch}\n`,
    ),
  },
  {
    name: 'maps as keys of maps as keys of maps',
    build: onBoth(
      'config/deep.yaml',
      `${'{'.repeat(400)}a: 1${'}: 1'.repeat(399)}}\n`,
      (branch) => `# ${branch}\n`,
    ),
  },
  {
    name: 'a lock file of pnpm with 50,000 dependencies',
    build: onBoth(
      'pnpm-lock.yaml',
      `lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n${rows(50_000, (at) => `      p${at}:\n        specifier: 1.0.0\n        version: 1.0.0\n`)}`,
      (branch) => `      z${branch}:\n        specifier: 1.0.0\n        version: 1.0.0\n`,
    ),
  },
  {
    name: '5,000 anchors and aliases in a description of an API',
    build: onBoth(
      'openapi.yaml',
      `openapi: 3.0.0\ncomponents:\n  schemas:\n${rows(5000, (at) => `    S${at}: &s${at}\n      type: object\n    T${at}: *s${at}\n`)}`,
      (branch) => `    Z${branch}:\n      type: object\n`,
    ),
  },
  {
    name: 'a tsconfig with 10,000 wildcard paths',
    build(repository) {
      const paths = Object.fromEntries(
        Array.from({ length: 10_000 }, (_, at) => [`*a${at}*b`.replace('*b', 'b'), ['./*']]),
      );
      everywhere(repository, {
        'tsconfig.json': JSON.stringify({ compilerOptions: { types: [], paths }, include: ['*.ts'] }),
        'many.ts': rows(500, (at) => `import 'aaaaaaaaaa${at}aaaaaaaaaa';\n`),
      });
    },
  },
  {
    name: 'a worktree with a submodule whose HEAD is a pipe',
    build(repository) {
      const folder = join(repository.dir, 'sub');
      execFileSync('git', ['init', '-q', folder]);
      execFileSync('git', [
        '-C',
        folder,
        '-c',
        'user.name=x',
        '-c',
        'user.email=x@x',
        'commit',
        '-q',
        '--allow-empty',
        '-m',
        'x',
      ]);
      repository.git('add', 'sub');
      repository.git('commit', '-q', '-m', 'submodule');
      rmSync(join(folder, '.git/HEAD'));
      execFileSync('mkfifo', [join(folder, '.git/HEAD')]);
    },
    args: ['--base', 'main', '.', 'a'],
  },
  {
    name: 'a message in protobuf within 5,000 others',
    build: onBoth(
      'deep.proto',
      `syntax = "proto3";\n${rows(5000, (at) => `message M${at} {\n`)}${'}\n'.repeat(5000)}`,
      (branch) => `message Last${branch} { string a = 1; }\n`,
    ),
  },
  {
    name: '20,000 tables and 20,000 references in SQL',
    build: onBoth(
      'schema.sql',
      rows(
        20_000,
        (at) => `CREATE TABLE t${at} (id INT PRIMARY KEY, other INT REFERENCES t${(at * 7) % 20_000}(id));\n`,
      ),
      (branch) => `CREATE TABLE last_${branch} (id INT);\n`,
    ),
  },
];
