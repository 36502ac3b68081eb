import { thisHost } from '#app/workplace/host.ts';
import { projectBase } from '#app/workplace/project-base.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { loadConfig, type Override } from '#config/read-config.ts';
import { openRepository } from '#git/call/repository.ts';
import type { Change } from '#grounding/change/change.ts';
import { pathsOf, readTexts } from '#grounding/change/read-change.ts';
import { type OpenBranch, withBranch } from '#grounding/judge/open-branch.ts';
import { cacheDir } from '#schema/paths.ts';

export interface BranchWish {
  /** Undefined: the current worktree, including uncommitted work. */
  readonly branch: string | undefined;
  readonly flags: readonly Override[];
}

/** The branch as typed; without one, the worktree. */
export function branchOf({ branch }: BranchWish): string {
  return branch ?? '.';
}

/** Opens the named branch, compared with the base of the project. */
export async function withBranchHere<T>(
  { cwd, env, terminal, onInterrupt }: Surroundings,
  wish: BranchWish,
  body: (open: OpenBranch, cache: string) => Promise<T>,
): Promise<T> {
  const repository = await openRepository(cwd);
  const { flags } = wish;
  const config = await loadConfig({ root: repository.workTree, env, flags });
  for (const warning of config.warnings) terminal.warn(warning);
  terminal.progress('reading the branch');
  const base = await projectBase(repository, config, { env, flags }, terminal.warn);
  const cache = cacheDir(thisHost(env));
  return withBranch({ repository, branch: branchOf(wish), base, cacheDir: cache, onInterrupt }, (open) =>
    body(open, cache),
  );
}

export function comparedOf({ baseRef, base, mergeBase, tip }: OpenBranch, wish: BranchWish) {
  return {
    base: { ref: baseRef, commit: base, mergeBase },
    branch: { ref: branchOf(wish), commit: tip },
  };
}

/** The changes of a branch, for checks that do not follow imports. */
export async function readChangeHere(open: OpenBranch): Promise<{ change: Change; read: Texts }> {
  const read = await readTexts(open.scratch.git, open.mergeBase, open.tip);
  const change: Change = {
    files: read.files,
    base: pathsOf(read.before),
    tip: pathsOf(read.after),
    declared: null,
    granted: [],
    others: [],
    claim: { status: 'none' },
    imports: { before: [], after: [], loads: new Map(), unknown: [] },
    gateInputs: [],
    gateRuns: null,
    criteria: [],
    policy: open.rules.config.grounding,
  };
  return { change, read };
}

export type Texts = Awaited<ReturnType<typeof readTexts>>;
