import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './joinery.ts';

/** Git as on a machine where nothing is configured. */
export function git(cwd: string, ...args: string[]): string {
  const env = {
    PATH: process.env.PATH,
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A real repository with these files in its first commit; it lives as long as the test. */
export function createRepository(files: Readonly<Record<string, string>>, branch = 'main'): string {
  const folder = temporaryFolder();
  git(folder, 'init', '--quiet', `--initial-branch=${branch}`);
  commit(folder, files);
  return folder;
}

export function commit(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'change');
}
