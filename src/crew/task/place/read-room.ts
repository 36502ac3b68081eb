import type { TaskFlow } from '#crew/task/task.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import { GitTree } from '#git/trees/tree.ts';
import { FolderReader } from '#git/worktrees/folder-tree.ts';
import type { WorktreeReader } from '#git/worktrees/worktree-tree.ts';

/** Gates run code of the agent, so in their worktree git must not be asked either. */
export async function readerOf(
  { premises, workshop }: TaskFlow,
  scratch: Scratch,
  path: string,
  commit: string,
): Promise<WorktreeReader> {
  const base = await GitTree.read(scratch.git, commit);
  const { settings } = premises;
  const except = workshop.provisioning.folders;
  const reader = new FolderReader({ path, scratch, base, settings, except, purpose: 'evidence' });
  return { path, tree: async () => (await reader.read()).tree, rewritten: () => reader.rewritten };
}
