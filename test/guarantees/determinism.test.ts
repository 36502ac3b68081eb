import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';

test('the same branches give the same bytes, with a cold and with a warm cache', async () => {
  const repository = new GitRepository();
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [
      `src/m${n}.ts`,
      `export function f${n}(a: number) {\n  return a + ${n};\n}\n`,
    ]),
  );
  repository.commit(files);
  for (let n = 0; n < 6; n++) {
    repository.branch(`feat/${n}`, {
      [`src/m${n}.ts`]: `export function g${n}(a: number, b: number) {\n  return a + b;\n}\n`,
      [`src/use${n}.ts`]: `import { f${(n + 1) % 6} } from './m${(n + 1) % 6}';\n\nf${(n + 1) % 6}(1);\n`,
    });
  }
  const { numRuns } = sample('byte-identical JSON', { normal: 3, soak: 20 });
  const cache = temporaryFolder();
  const outputs = new Set<string>();
  for (let run = 0; run < numRuns; run++) {
    if (run % 2 === 0) rmSync(cache, { recursive: true, force: true });
    const { stdout, code } = await joinery(
      ['check', 'main', ...Array.from({ length: 6 }, (_, n) => `feat/${n}`), '--json'],
      {
        cwd: repository.dir,
        env: { JOINERY_CACHE_DIR: cache },
      },
    );
    expect(code).toBe(1);
    outputs.add(stdout);
  }
  expect(outputs.size).toBe(1);
  expect(JSON.parse([...outputs][0] ?? '').findings.length).toBeGreaterThanOrEqual(6);
});
