import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deflateSync } from 'node:zlib';

/** What somebody with write access to a repository can make git believe. */

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** That a file is the one of a commit: the index gets the commit's blob id with the times of the file. */
export function forgeIndex(worktree: string, path: string, commit: string): void {
  const longAgo = new Date('2020-01-01T00:00:00Z');
  utimesSync(join(worktree, path), longAgo, longAgo);
  git(worktree, 'add', path);
  const [before, now] = [`${commit}:${path}`, `:${path}`].map((name) =>
    Buffer.from(git(worktree, 'rev-parse', name), 'hex'),
  );
  const file = indexOf(worktree);
  const index = readFileSync(file).subarray(0, -20);
  if (before && now && index.includes(now)) before.copy(index, index.indexOf(now));
  writeFileSync(file, Buffer.concat([index, createHash('sha1').update(index).digest()]));
  growOld(worktree);
}

/** Makes files older than the index: git rereads files that are as new as its index. */
export function growOld(worktree: string): void {
  const later = new Date(Date.now() + 10_000);
  utimesSync(indexOf(worktree), later, later);
}

function indexOf(worktree: string): string {
  return resolve(worktree, git(worktree, 'rev-parse', '--git-path', 'index'));
}

/** That an object is another one: git does not verify the id of what it reads. */
export function replaceObject(gitDir: string, id: string, content: string | Buffer, type = 'blob'): void {
  const file = join(gitDir, 'objects', id.slice(0, 2), id.slice(2));
  if (existsSync(file)) chmodSync(file, 0o644);
  const body = Buffer.from(content);
  writeFileSync(file, deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])));
}
