import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { askProgram } from './ask-program.ts';
import { findProcesses, identityOf } from './sweep.js';

const env = { PATH: process.env.PATH ?? '' };

function ask(script: string, timeoutMs = 30_000) {
  const cwd = temporaryFolder();
  const question = { argv: ['sh', '-c', script] as const, cwd, env, timeoutMs, maxBytes: 10 };
  return askProgram(question).then((said) => ({ said, cwd }));
}

test("returns a program's output up to a limit; the program reads no input", async () => {
  expect((await ask('cat; echo tool 1.2')).said).toBe('tool 1.2\n');
  expect((await ask('head -c 50000000 /dev/zero | tr "\\0" x')).said).toBe('xxxxxxxxxx');
});

test.each([
  ['fails', 'echo 1.2; exit 1', 30_000],
  ['is ended by a signal', 'echo 1.2; kill -9 $$', 30_000],
  ['does not answer', 'trap "" INT TERM; echo 1.2; while :; do sleep 1; done', 200],
])('a program that %s gives null', async (_, script, timeoutMs) => {
  expect((await ask(script, timeoutMs)).said).toBeNull();
  expect(findProcesses({ root: null, mark: `question/${process.pid}` })).toEqual([]);
});

test('a missing program gives null', async () => {
  const question = { argv: ['no-such-program-here'] as const, cwd: '/', env, timeoutMs: 9000, maxBytes: 10 };
  expect(await askProgram(question)).toBeNull();
});

test('a process that the program leaves behind holding its output open is ended, not waited for', async () => {
  const began = performance.now();
  const { said, cwd } = await ask('setsid sleep 1000 & echo $! > pid; echo 1.2');
  expect(said).toBe('1.2\n');
  expect(identityOf(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBeNull();
  expect(performance.now() - began).toBeLessThan(15_000);
});
