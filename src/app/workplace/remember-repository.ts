import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Repository } from '#git/call/repository.ts';

export const repositoryFile = (state: string) => join(state, 'repository.json');

/** Records where the repository of a state folder is. If the folder is not writable, only this record is missing. */
export function rememberRepository(
  state: string,
  { commonDir, workTree }: Pick<Repository, 'commonDir' | 'workTree'>,
): void {
  // A linked worktree is temporary; the main one stays.
  const path = basename(commonDir) === '.git' ? dirname(commonDir) : (workTree ?? commonDir);
  const file = repositoryFile(state);
  const text = `${JSON.stringify({ schema: 'joinery/repository@1', commonDir, path })}\n`;
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file, 'utf8') === text) return;
    mkdirSync(state, { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch {
    // Then the dashboard does not list it.
  }
}
