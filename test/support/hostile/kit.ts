import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Files, GitRepository } from '#test/support/git-repository.ts';
import type { Trap } from '#test/support/trap.ts';

/** Adds a commit to an existing branch. */
export function add(repository: GitRepository, branch: string, files: Files): void {
  repository.branch(branch, files, branch);
}

/** The same files on all three branches, and in the checkout. */
export function everywhere(repository: GitRepository, files: Files): void {
  repository.commit(files);
  for (const branch of ['a', 'b']) {
    const tree = repository.git('merge-tree', '--write-tree', 'main', branch);
    const commit = repository.git('commit-tree', tree, '-p', 'main', '-p', branch, '-m', 'merge main');
    repository.git('update-ref', `refs/heads/${branch}`, commit);
  }
}

/** A file below .git. */
export function inside(repository: GitRepository, path: string, content: string | Buffer): string {
  const file = join(repository.dir, '.git', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** A program below .git that springs the trap and prints nothing. */
export function program(repository: GitRepository, trap: Trap, path = 'helper'): string {
  const file = inside(repository, path, `${trap.shell}cat 2>/dev/null </dev/null\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Written by hand, because git would obey it at once. */
export function config(repository: GitRepository, text: string): void {
  appendFileSync(join(repository.dir, '.git/config'), text);
}

/** Writes an object without git's validation; returns its id. */
export function object(repository: GitRepository, type: string, body: Buffer | string, level = 1): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${Buffer.byteLength(body)}\0`), Buffer.from(body)]);
  const id = createHash('sha1').update(bytes).digest('hex');
  inside(repository, `objects/${id.slice(0, 2)}/${id.slice(2)}`, deflateSync(bytes, { level }));
  return id;
}

export interface Entry {
  readonly mode: '100644' | '100755' | '120000' | '160000' | '40000';
  readonly name: string | Buffer;
  readonly id: string;
}

/** A tree with any names in the given order. */
export function tree(repository: GitRepository, entries: readonly Entry[]): string {
  const parts = entries.flatMap(({ mode, name, id }) => [
    Buffer.from(`${mode} `),
    Buffer.from(name),
    Buffer.from([0]),
    Buffer.from(id, 'hex'),
  ]);
  return object(repository, 'tree', Buffer.concat(parts));
}

export function blob(repository: GitRepository, text: string | Buffer): string {
  return object(repository, 'blob', text);
}

/** Git's sort key of an entry: a folder as if its name ended with a slash. */
function place({ mode, name }: Entry): Buffer {
  return Buffer.concat([Buffer.from(name), Buffer.from(mode === '40000' ? '/' : '')]);
}

/** The entries of a branch's root, and additional ones. */
export function rootWith(repository: GitRepository, branch: string, entries: readonly Entry[]): string {
  const root = repository
    .git('ls-tree', branch)
    .split('\n')
    .map((line) => /^0?(\d+) \w+ (\w+)\t(.*)$/.exec(line) ?? [])
    .map(([, mode, id, name]) => ({ mode, id, name }) as Entry);
  const kept = root.filter(({ name }) => !entries.some((entry) => entry.name === name));
  return tree(
    repository,
    [...kept, ...entries].sort((one, two) => Buffer.compare(place(one), place(two))),
  );
}

export function commit(
  repository: GitRepository,
  branch: string,
  root: string,
  message = 'change\n',
): string {
  const who = 'Test <test@localhost> 1767225600 +0000';
  const parent = repository.git('rev-parse', branch);
  return raw(
    repository,
    branch,
    `tree ${root}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\n${message}`,
  );
}

/** Moves a branch to a commit with any content. */
export function raw(repository: GitRepository, branch: string, body: string | Buffer): string {
  const id = object(repository, 'commit', body);
  inside(repository, `refs/heads/${branch}`, `${id}\n`);
  return id;
}

/** Adds entries to the root of a branch, in one commit. */
export function addEntries(repository: GitRepository, branch: string, entries: readonly Entry[]): void {
  commit(repository, branch, rootWith(repository, branch, entries));
}

export const hooks = [
  'post-checkout',
  'post-index-change',
  'post-merge',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'reference-transaction',
];

export const escapes = '\u001b[2J\u001b]0;owned\u0007\u001b[31m';
