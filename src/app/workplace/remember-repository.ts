import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Repository } from '#git/call/repository.ts';

export const repositoryFile = (state: string) => join(state, 'repository.json');

/** Notes where the repository of a state folder lies. A folder that cannot be written costs only this note. */
export function rememberRepository(
  state: string,
  { commonDir, workTree }: Pick<Repository, 'commonDir' | 'workTree'>,
): void {
  // A linked worktree comes and goes; the main one stays.
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
    // The dashboard does not list it then.
  }
}
