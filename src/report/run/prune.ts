import type { PruneReport } from '#schema/run.ts';

export function renderPrune({ runs, isDone }: PruneReport): string {
  if (runs.length === 0) return 'No run is over.';
  return runs
    .map(({ run: id, status, refs, worktrees }) => {
      const what = `${refs.length} refs, ${worktrees.length} worktrees`;
      return `${isDone ? 'Removed' : 'Would remove'} ${id} (${status}; ${what})`;
    })
    .join('\n');
}
