import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './engine-bench.ts';
import { GitRepository } from './git-repository.ts';
import { temporaryFolder } from './joinery.ts';

/** A repository with one commit and a state folder beside it; both exist as long as the test. */
export interface EngineRepo extends Place {
  /** File in which a child process records what it did. */
  readonly witness: string;
  git(...args: string[]): string;
  /** For tests that create many. */
  remove(): void;
}

export function makeRepo(files: Readonly<Record<string, string>> = { 'README.md': 'hello\n' }): EngineRepo {
  const repository = new GitRepository();
  repository.commit(files);
  const { dir } = repository;
  const outside = temporaryFolder();
  return {
    dir,
    stateDir: join(outside, 'state'),
    witness: join(outside, 'witness'),
    git: (...args) => repository.git(...args),
    remove() {
      for (const folder of [dir, outside]) rmSync(folder, { recursive: true, force: true });
    },
  };
}
