import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { identityOf } from '#process/sweep.js';
import { temporaryFolder } from '#test/support/joinery.ts';
import { programVersion } from './program-version.ts';

test('a program that is asked for its version sees no secret', async () => {
  vi.stubEnv('GITHUB_TOKEN', 'given');
  const program = join(temporaryFolder(), 'agent');
  writeFileSync(program, '#!/bin/sh\necho "agent 1.2-${GITHUB_TOKEN:-withheld}"\n', { mode: 0o755 });
  expect(await programVersion(program)).toBe('1.2-withheld');
  vi.unstubAllEnvs();
});

test('a program that leaves processes behind or floods its output still reports its version, and is ended', async () => {
  const folder = temporaryFolder();
  const program = join(folder, 'agent');
  const script = `sleep 1000 & echo $! > "${folder}/pid"; pwd > "${folder}/cwd"; echo 1.2.3; head -c 9000000 /dev/zero`;
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  expect(await programVersion(program)).toBe('1.2.3');
  expect(identityOf(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBeNull();
  expect(readFileSync(join(folder, 'cwd'), 'utf8').trim()).not.toBe(process.cwd());
});
