import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { holdFile } from '#lib/hold-file.ts';
import { shellWord } from '#lib/shell-word.ts';
import { exitCodes } from '#schema/exit-codes.ts';

/** Moving a checkout with a hundred thousand files takes less. */
const longestWaitMs = 60_000;
const pauseMs = 50;

/**
 * Runs `body` while no other process of ours lands in this repository. The lock is in the repository, because processes with different
 * state folders share it, and it ends with its process, however that ends.
 */
export async function whileLanding<T>(
  { commonDir }: Pick<Repository, 'commonDir'>,
  body: () => Promise<T>,
  patienceMs = longestWaitMs,
): Promise<T> {
  const path = join(commonDir, 'joinery-landing.lock');
  const began = performance.now();
  let release = holdFile(path);
  while (release === null) {
    if (performance.now() - began > patienceMs) throw heldTooLong(path, patienceMs);
    await wait(pauseMs);
    release = holdFile(path);
  }
  try {
    return await body();
  } finally {
    release();
  }
}

function heldTooLong(path: string, ms: number): GitError {
  return new GitError('landing-held', `another joinery has been landing for more than ${ms / 1000} s`, {
    exitCode: exitCodes.environment,
    hint: `wait for it, or end it (it holds ${shellWord(path)}), then type the same command again`,
  });
}
