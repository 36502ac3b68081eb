import { join } from 'node:path';
import { readFilesIn } from '../git/files-at.ts';
import { forksFrom, noCommonHistory } from '../git/history.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { defaultBranch, isWorktreePath, resolveCommit } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { createScratch } from '../git/scratch.ts';
import { snapshotWorktree } from '../git/snapshot.ts';
import { GitTree } from '../git/tree.ts';
import type { GroundReport } from '../model/grounding.ts';
import { readBaseRules } from './base-rules.ts';
import { readGateInputs } from './gates/read-inputs.ts';
import { ground } from './grounding/ground.ts';
import { readChange } from './grounding/read-change.ts';

export interface GroundRequest {
  readonly repository: Repository;
  readonly branch: string;
  /** null: the repository's default branch. */
  readonly base: string | null;
  /** null: nothing is declared. */
  readonly files: readonly string[] | null;
  readonly cacheDir: string;
  readonly onInterrupt?: (cleanup: () => Promise<void>) => () => void;
}

/** Does the work of one branch stand on the ground? Reads the repository; writes nothing below it. */
export async function groundBranch(request: GroundRequest): Promise<GroundReport> {
  const { repository, cacheDir } = request;
  const scratch = await createScratch(repository, join(cacheDir, 'objects', repository.key));
  const settled = request.onInterrupt?.(scratch.remove);
  const names = new ObjectReader(repository.git);
  try {
    const baseRef = request.base ?? (await defaultBranch(repository));
    const base = await resolveCommit(repository, names, baseRef);
    const tip = isWorktreePath(request.branch)
      ? (await snapshotWorktree(repository, scratch, request.branch)).commit
      : await resolveCommit(repository, names, request.branch);
    const mergeBase = (await forksFrom(scratch.git, base, [tip])).get(tip)?.mergeBase ?? null;
    if (mergeBase === null) throw noCommonHistory(baseRef, request.branch, repository.isShallow);
    const tree = await GitTree.read(repository.git, base);
    const rules = await readBaseRules(base, (paths) => readFilesIn(tree, names, paths));
    const change = await readChange(
      {
        repository,
        git: scratch.git,
        base: mergeBase,
        tip,
        ...(mergeBase === base ? { listing: tree } : {}),
        cacheDir,
        maxCacheBytes: rules.config.cache.maxBytes,
        pythonRoots: rules.config.python.roots,
      },
      {
        declared: request.files,
        granted: [],
        others: [],
        claim: { status: 'none' },
        gateInputs: await readGateInputs(names, tree, rules),
        gateRuns: null,
        policy: rules.config.grounding,
      },
    );
    const { status, checks, inconclusive } = ground({ ...change, criteria: [] });
    return {
      schema: 'joinery/ground@1',
      status,
      base: { ref: baseRef, commit: base, mergeBase },
      branch: { ref: request.branch, commit: tip },
      files: change.files.length,
      declared: request.files === null ? null : [...request.files],
      checks: [...checks],
      inconclusive: [...inconclusive],
    };
  } finally {
    names.close();
    await scratch.remove();
    settled?.();
  }
}
