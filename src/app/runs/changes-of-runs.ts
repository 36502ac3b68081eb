import { runIds } from '#crew/state/catalogue.ts';
import { hasEnded } from '#crew/state/state.ts';
import type { ClaimsReport } from '#schema/claims-report.ts';
import type { RunRoom } from './run-room.ts';

interface Wanted {
  readonly run: string | undefined;
  readonly path: string | undefined;
}

/** Files and symbols declared by the tasks of unfinished runs, or of the named run. */
export function changesOfRuns({ runs, state, choose }: RunRoom, { run, path }: Wanted): ClaimsReport {
  const ids = run === undefined ? runIds(runs.engine).filter((id) => !hasEnded(state(id))) : [choose(run)];
  const tasks = ids.flatMap((id) =>
    [...state(id).steps.values()].map(({ task, branch, status, commit, granted }) => ({
      run: id,
      task: task.id,
      title: task.title,
      status,
      branch,
      commit,
      files: [...task.files, ...granted],
      symbols: task.changes ?? [],
    })),
  );
  return {
    schema: 'joinery/claims@1',
    tasks: path === undefined ? tasks : tasks.filter(({ files }) => files.some((file) => covers(file, path))),
  };
}

/** A declared folder ends with a slash and covers everything in it: `src/api/`. */
function covers(declared: string, path: string): boolean {
  return declared === path || (declared.endsWith('/') && path.startsWith(declared));
}
