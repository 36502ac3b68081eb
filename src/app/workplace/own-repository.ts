import { resolve } from 'node:path';
import { openRepository } from '#git/call/repository.ts';
import { UsageError } from '#schema/errors.ts';

/**
 * A client may name a worktree of the repository that the server was started in, and nothing else: an agent could make a folder whose gates
 * are whatever it wants to run outside its sandbox.
 */
export async function demandOwnRepository(cwd: string, workspacePath: string | undefined): Promise<void> {
  if (workspacePath === undefined) return;
  const named = resolve(cwd, workspacePath);
  const [own, other] = await Promise.all([
    openRepository(cwd).catch(() => null),
    openRepository(named).catch(() => null),
  ]);
  if (own !== null && own.commonDir === other?.commonDir) return;
  throw new UsageError({
    code: 'other-repository',
    message: `${named} is not a worktree of the repository that this server was started in`,
    hint: 'start the server there: joinery mcp',
  });
}
