import { execFileSync } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { cacheDir } from '#bin/bootstrap.js';

test('with an empty HOME nothing is kept in a relative folder, which would be the repository', () => {
  const script = "import { thisHost } from '#app/workplace/host.ts'; console.log(thisHost({}).home);";
  const env = { ...process.env, HOME: '' };
  const home = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  }).trim();
  expect(isAbsolute(home)).toBe(true);
  const bootstrap = "import { cacheDir } from '#bin/bootstrap.js'; console.log(cacheDir({}));";
  const cache = execFileSync(process.execPath, ['--input-type=module', '-e', bootstrap], {
    env,
    encoding: 'utf8',
  }).trim();
  expect(cache).toBe(cacheDir({}, home));
});
