import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { GitRepository } from './git-repository.ts';
import { joinery, temporaryFolder } from './joinery.ts';

/** A folder in which code leaves a mark when it is run. */
export class Trap {
  readonly mark = join(temporaryFolder(), 'mark');
  readonly javaScript = `require('node:fs').writeFileSync(${JSON.stringify(this.mark)}, 'x');\n`;
  readonly python = `open(${JSON.stringify(this.mark)}, 'w').write('x')\n`;
  readonly shell = `#!/bin/sh\ntouch '${this.mark}'\n`;

  get isSprung(): boolean {
    return existsSync(this.mark);
  }
}

/** Runs a check that must print nothing on stderr. */
export async function check(
  repository: GitRepository,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const cache = temporaryFolder();
  const outcome = await joinery(['check', '--json', ...args], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache, ...env },
  });
  expect(outcome.stderr).toBe('');
  return { ...outcome, report: JSON.parse(outcome.stdout) };
}
