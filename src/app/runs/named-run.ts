import { runIds } from '#crew/state/catalogue.ts';
import { readRef } from '#git/merges/branches.ts';
import { UsageError } from '#schema/errors.ts';
import type { RunRoom } from './run-room.ts';

/** The run that is meant: without a name the newest; a name that is not a branch may be a run id. */
export async function namedRun(
  { repository, runs, choose }: RunRoom,
  names: readonly string[],
): Promise<string | null> {
  const [name] = names;
  if (names.length > 1) return null;
  if (name === undefined) {
    if (runIds(runs.engine).length > 0) return choose(undefined);
    throw new UsageError({
      code: 'no-run',
      message: 'nothing to integrate: this repository has no runs, and no branch was named',
      hint: 'name branches: joinery integrate <branch>…',
    });
  }
  const isRun = runIds(runs.engine).some((run) => run === name || run.startsWith(name));
  return isRun && (await readRef(repository.git, `refs/heads/${name}`)) === null ? choose(name) : null;
}
