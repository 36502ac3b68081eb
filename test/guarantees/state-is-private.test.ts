import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { executable, temporaryFolder } from '../support/joinery.ts';

/** With the most generous umask. */
function gates(state: string): void {
  const repository = new GitRepository();
  repository.commit({
    'a.txt': 'a\n',
    'joinery.json': '{"gates":{"commands":[{"kind":"test","run":"echo done"}]}}\n',
  });
  spawnSync('/bin/sh', ['-c', 'umask 0; exec "$0" "$@"', process.execPath, executable, 'gates', '--full'], {
    cwd: repository.dir,
    env: { ...process.env, JOINERY_STATE_DIR: state, JOINERY_CACHE_DIR: temporaryFolder() },
    stdio: 'ignore',
  });
}

const openToOthers = (folder: string) =>
  [folder, ...globSync('*', { cwd: folder }).map((name) => join(folder, name))].filter(
    (path) => statSync(path).isDirectory() && (statSync(path).mode & 0o077) !== 0,
  );

test.skipIf(process.platform === 'win32')('state is closed to other users, whatever the umask', () => {
  const state = join(temporaryFolder(), 'state');
  gates(state);
  expect(globSync('**/*.log', { cwd: state })).not.toEqual([]);
  expect(openToOthers(state)).toEqual([]);
});

test.skipIf(process.platform === 'win32')('a state folder that was open is closed', () => {
  const state = join(temporaryFolder(), 'state');
  mkdirSync(state);
  chmodSync(state, 0o777);
  gates(state);
  expect(statSync(state).mode & 0o777).toBe(0o700);
});
