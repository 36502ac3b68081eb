import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { limited } from './limits.ts';

const megabyte = 1024 ** 2;

function run(command: string, args: readonly string[], limits: { memoryBytes: number; cpuSeconds: number }) {
  const program = limited(command, args, limits);
  return spawnSync(program.command, program.args, { encoding: 'utf8', timeout: 60_000 });
}

const plenty = { memoryBytes: 4096 * megabyte, cpuSeconds: 60 };

test('a program gets its arguments unchanged', () => {
  const words = ['a b', '$(touch x)', '`id`', '"', "'", '', '-x', '\n'];
  const { stdout, status } = run(
    process.execPath,
    ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...words],
    plenty,
  );
  expect({ status, words: JSON.parse(stdout) }).toEqual({ status: 0, words });
});

test.runIf(process.platform === 'linux')('a program that exceeds its memory limit fails', () => {
  const program =
    'const all = []; for (let i = 0; i < 100; i++) all.push(Buffer.allocUnsafeSlow(50e6)); console.log("done")';
  expect(run(process.execPath, ['-e', program], plenty).stdout).toBe('');
  const modest = program.replace('100', '10');
  expect(run(process.execPath, ['-e', modest], plenty).stdout.trim()).toBe('done');
});

test.runIf(process.platform !== 'win32')('a program that exceeds its CPU limit is ended', () => {
  const { signal, status } = run(process.execPath, ['-e', 'for (;;) {}'], { ...plenty, cpuSeconds: 1 });
  expect([signal, status]).not.toEqual([null, 0]);
});
