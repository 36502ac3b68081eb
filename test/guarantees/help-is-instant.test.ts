import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { executable, temporaryFolder } from '../support/joinery.ts';

const limit = 2;
const rounds = 25;

test('--help costs at most twice the start of an empty script', () => {
  const empty = join(temporaryFolder(), 'empty.js');
  writeFileSync(empty, '');
  const best = { empty: Number.POSITIVE_INFINITY, help: Number.POSITIVE_INFINITY };
  // The best of interleaved rounds: other work on the machine can only make a round slower.
  for (let round = 0; round < rounds && (round < 3 || best.help > limit * best.empty); round++) {
    best.empty = Math.min(best.empty, timeOf([empty]));
    best.help = Math.min(best.help, timeOf([executable, 'check', '--help']));
  }
  expect(best.help / best.empty).toBeLessThanOrEqual(limit);
});

function timeOf(args: readonly string[]): number {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  expect(status).toBe(0);
  return performance.now() - started;
}
