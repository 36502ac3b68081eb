import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateDir } from '#schema/paths.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { knownRepositories } from './known-repositories.ts';
import { rememberRepository } from './remember-repository.ts';

test('a repository at an unreadable path does not hide the others', () => {
  const root = temporaryFolder();
  const host = { env: { JOINERY_STATE_DIR: temporaryFolder() }, home: root, platform: process.platform };
  for (const name of ['one', 'two']) {
    const commonDir = join(root, name, '.git');
    mkdirSync(commonDir, { recursive: true });
    rememberRepository(stateDir(host, commonDir), { commonDir, workTree: join(root, name) });
  }
  expect(knownRepositories(host)).toHaveLength(2);
  rmSync(join(root, 'two'), { recursive: true });
  // A link to itself fails like a folder without permission or a server that is gone.
  symlinkSync(join(root, 'two'), join(root, 'two'));
  expect(knownRepositories(host).map(({ path }) => path)).toEqual([join(root, 'one')]);
});
