import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/joinery.ts';
import { programVersion } from './program-version.ts';

test('a program that is asked for its version sees no secret of ours', async () => {
  vi.stubEnv('GITHUB_TOKEN', 'given');
  const program = join(temporaryFolder(), 'agent');
  writeFileSync(program, '#!/bin/sh\necho "agent 1.2-${GITHUB_TOKEN:-withheld}"\n', { mode: 0o755 });
  expect(await programVersion(program)).toBe('1.2-withheld');
  vi.unstubAllEnvs();
});
