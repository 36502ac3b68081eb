import { join } from 'node:path';
import { thisHost } from '#app/workplace/host.ts';
import { projectBase } from '#app/workplace/project-base.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { type BranchTip, nameBase, nameTips } from '#check/branches/branch-tips.ts';
import { loadConfig, type Override } from '#config/read-config.ts';
import type { Git } from '#git/call/git.ts';
import { openRepository } from '#git/call/repository.ts';
import { treeOf } from '#git/merges/branches.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { GitTree } from '#git/trees/tree.ts';
import { snapshotsIn } from '#git/worktrees/snapshots.ts';
import { mergeBranches } from '#integrate/merge/merge-branches.ts';
import { cacheDir } from '#schema/paths.ts';

/** A tree that can be read, and where its lines come from. */
export interface ReadableTree {
  readonly git: Git;
  readonly objects: ObjectReader;
  readonly tree: GitTree;
}

export interface Union extends ReadableTree {
  readonly base: BranchTip;
  readonly branches: readonly BranchTip[];
  readonly excluded: readonly { readonly ref: string; readonly paths: readonly string[] }[];
}

export interface UnionWish {
  readonly branches: readonly string[];
  readonly flags: readonly Override[];
  /** Undefined: the base of the project. */
  readonly base?: string;
  /** Use these commits for these names, instead of resolving them now. */
  readonly commits?: ReadonlyMap<string, string>;
}

type Here = Pick<Surroundings, 'cwd' | 'env' | 'terminal' | 'onInterrupt'>;

/** Merges branches in a scratch repository for as long as `body` runs. The user's repository does not change. */
export function withUnion<T>(
  here: Here,
  { branches: names, flags, base: typed, commits }: UnionWish,
  body: (union: Union) => Promise<T>,
): Promise<T> {
  return withScratch(here, names, flags, async ({ workspace, configured }) => {
    const { scratch, objects } = workspace;
    const known = commits ? { commits } : {};
    const base = await nameBase(workspace, { base: typed ?? configured, ...known });
    const tips = await nameTips(workspace, base, { branches: names, ...known });
    scratch.own.write();
    const { commit, conflicts } = await mergeBranches({
      git: scratch.git,
      onto: base.commit,
      tips,
      at: new Date(0).toISOString(),
      resolve: null,
      // Whether the branches fit together is the job of `check`.
      recheck: async () => ({ refused: new Map(), unclear: null }),
    });
    const tree = await GitTree.read(scratch.git, await treeOf(scratch.git, commit));
    const excluded = conflicts.map(({ tip, paths }) => ({ ref: tip.ref, paths }));
    return body({ git: scratch.git, objects, tree, base, branches: tips, excluded });
  });
}

/** The trees of commits, unmerged. */
export function withTrees<T>(
  here: Here,
  names: readonly string[],
  body: (trees: readonly (ReadableTree & { readonly tip: BranchTip })[]) => Promise<T>,
): Promise<T> {
  return withScratch(here, names, [], async ({ workspace }) => {
    const { scratch, objects } = workspace;
    const tips = await Promise.all(names.map((name) => nameBase(workspace, { base: name })));
    scratch.own.write();
    const trees = await Promise.all(
      tips.map(async (tip) => ({
        tip,
        git: scratch.git,
        objects,
        tree: await GitTree.read(scratch.git, await treeOf(scratch.git, tip.commit)),
      })),
    );
    return body(trees);
  });
}

async function withScratch<T>(
  { cwd, env, terminal, onInterrupt }: Here,
  names: readonly string[],
  flags: readonly Override[],
  body: (room: {
    readonly workspace: Parameters<typeof nameTips>[0];
    readonly configured: string | null;
  }) => Promise<T>,
): Promise<T> {
  const repository = await openRepository(cwd, names);
  const config = await loadConfig({ root: repository.workTree, env, flags });
  for (const warning of config.warnings) terminal.warn(warning);
  const configured = await projectBase(repository, config, { env, flags }, terminal.warn);
  const folder = join(cacheDir(thisHost(env)), 'objects', repository.key);
  const scratch = await createScratch(repository, folder);
  const settled = onInterrupt(scratch.remove);
  const reader = new ObjectReader(repository.git);
  const objects = new ObjectReader(scratch.git);
  try {
    const snapshots = snapshotsIn(repository, scratch);
    const workspace = { repository, scratch, names: reader, objects, snapshots };
    return await body({ workspace, configured });
  } finally {
    reader.close();
    objects.close();
    await scratch.remove();
    settled();
  }
}
