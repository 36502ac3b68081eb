import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

/** A compiler that prints an error of base and dies before it has looked at a method, as javac does after an exception inside. */
const dying = `#!/bin/sh
if [ "$1" = -version ]; then echo 'javac 17.0.15'; exit 0; fi
echo 'src/org/shop/Store.java:2: error: package org.lib does not exist'
echo 'An exception has occurred in the compiler (17.0.15).'
exit 4
`;

const java = (name: string) => `package org.shop;\nimport org.lib.Thing;\npublic class ${name} {}\n`;
const go = (name: string) => `package shop\n\ntype ${name} struct{}\n`;

async function check(programs: Readonly<Record<string, string>>, file: string, ...options: string[]) {
  const source = file.endsWith('.go') ? go : java;
  const repository = new GitRepository();
  repository.commit({ 'README.md': 'Shop.\n', [file]: source('Store') });
  repository.branch('a', { [file.replace('Store', 'First')]: source('First') });
  repository.branch('b', { [file.replace('Store', 'Second')]: source('Second') });
  const bin = temporaryFolder();
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  for (const program of ['git', 'sh']) symlinkSync(onPath(program), join(bin, program));
  const { code, stdout } = await joinery(['check', 'main', 'a', 'b', '--json', ...options], {
    cwd: repository.dir,
    // No compiler of this machine.
    env: { JOINERY_CACHE_DIR: temporaryFolder(), PATH: bin },
  });
  return { code, report: CheckReport.parse(JSON.parse(stdout)) };
}

function onPath(program: string): string {
  const folders = process.env.PATH?.split(delimiter) ?? [];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? program;
}

test('a compiler that died before it looked at everything is no pass without a word', async () => {
  const { code, report } = await check({ javac: dying }, 'src/org/shop/Store.java');
  expect(code).toBe(0);
  expect(report.degraded).toMatchObject([
    { check: 'javac', reason: expect.stringContaining('javac ended with exit code 4') },
  ]);
  expect(report.checkers ?? []).toEqual([]);
});

test('where it was asked for, the check is undecided', async () => {
  const { code, report } = await check({ javac: dying }, 'src/org/shop/Store.java', '--confirm', 'types');
  expect(code).toBe(2);
  expect(report.inconclusive).toMatchObject([{ check: 'javac' }]);
});

test('a compiler that is not installed is no pass without a word', async () => {
  const { code, report } = await check({}, 'org/Store.go');
  expect(code).toBe(0);
  expect(report.degraded).toMatchObject([{ check: 'go vet', reason: 'go is not installed' }]);
});
