import { realpathSync } from 'node:fs';
import { listWorktrees } from '../../git/refs.ts';
import type { Repository } from '../../git/repository.ts';

/** The checkout whose installed packages and tools count: the main one, else the one we are in; null in a bare clone. */
export async function checkoutOf(repository: Repository): Promise<string | null> {
  const main = (await listWorktrees(repository)).find(({ isMain }) => isMain)?.path;
  const found = main ?? repository.workTree;
  return found ? realpathSync(found) : null;
}
