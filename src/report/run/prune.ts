import { shellWord } from '#lib/shell-word.ts';
import type { PruneReport } from '#schema/run.ts';

export function renderPrune({ runs, kept, isDone, integrations = [], saved = [] }: PruneReport): string {
  if (runs.length + kept.length + integrations.length === 0) return 'No run has ended: nothing to remove.';
  const removed = runs.flatMap(({ run: id, status, refs, worktrees, unmerged }) => {
    const what = `${refs.length} refs, ${worktrees.length} worktrees`;
    const lost = unmerged.map((branch) => `  accepted work that is not merged anywhere: ${branch}`);
    return [`${isDone ? 'Removed' : 'Would remove'} ${id} (${status}; ${what})`, ...lost];
  });
  const stays = kept.flatMap(({ run: id, status, unmerged }) => [
    `Kept ${id} (${status}): accepted work that is not merged anywhere`,
    ...unmerged.map((branch) => `  ${branch}`),
    `  to land it: joinery integrate ${unmerged.map(shellWord).join(' ')} --land --update-checkout`,
    `  to remove the run all the same: joinery prune --force ${id} (its commits are kept under refs/joinery/kept/${id})`,
  ]);
  const verb = isDone ? 'Removed' : 'Would remove';
  const results = integrations.flatMap(({ id, branch, isLanded, keeps }) =>
    keeps === null
      ? [`${verb} ${branch} (${isLanded ? 'landed; its receipt stays' : 'proven, not landed'})`]
      : [
          `Kept ${branch}: ${keeps}`,
          `  to remove it all the same: joinery prune --force ${id} (its commits are kept under refs/joinery/kept/${id})`,
        ],
  );
  return [...removed, ...stays, ...results, ...saved].join('\n');
}
