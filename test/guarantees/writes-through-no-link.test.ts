import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

/** A repository that holds a link to a file or folder of the person. */
function withLink(path: string, target: string): GitRepository {
  const repository = new GitRepository();
  repository.commit({ 'a.txt': 'a\n' });
  const link = join(repository.dir, path);
  mkdirSync(join(link, '..'), { recursive: true });
  symlinkSync(target, link);
  return repository;
}

const run = (repository: GitRepository, ...args: string[]) =>
  joinery(args, {
    cwd: repository.dir,
    env: { JOINERY_STATE_DIR: temporaryFolder(), JOINERY_CACHE_DIR: temporaryFolder() },
  });

const refused = { code: 3, stderr: expect.stringContaining('is a link') };

test('init creates no file where a dangling link leads', async () => {
  const outside = join(temporaryFolder(), 'created.json');
  const { code, stderr } = await run(withLink('joinery.json', outside), 'init', '--force');
  expect({ code, stderr }).toEqual(refused);
  expect(existsSync(outside)).toBe(false);
});

test('hooks install changes no file that a link leads to', async () => {
  const outside = join(temporaryFolder(), 'settings.json');
  writeFileSync(outside, '{}\n');
  const { code, stderr } = await run(withLink('.claude/settings.json', outside), 'hooks', 'install');
  expect({ code, stderr }).toEqual(refused);
  expect(readFileSync(outside, 'utf8')).toBe('{}\n');
});

test('workflow new writes into no folder that a link leads to', async () => {
  const outside = temporaryFolder();
  const { code, stderr } = await run(withLink('.joinery/workflows', outside), 'workflow', 'new', 'mine');
  expect({ code, stderr }).toEqual(refused);
  expect(existsSync(join(outside, 'mine.yaml'))).toBe(false);
});
