import { join } from 'node:path';
import { thisHost } from '#app/workplace/host.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { readBaseConfig } from '#gates/definitions/base-rules.ts';
import { openRepository } from '#git/call/repository.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { filesOfCommit } from '#git/trees/files-at.ts';
import { readStagedTree } from '#git/worktrees/staged-tree.ts';
import type { FileChange } from '#grounding/change/change.ts';
import { secretFinder } from '#grounding/change/found-secrets.ts';
import { readTexts } from '#grounding/change/read-change.ts';
import { secretHint } from '#grounding/checks/secrets.ts';
import { compileGlobs } from '#lib/glob.ts';
import { GroundingPolicy } from '#schema/grounding.ts';
import { cacheDir } from '#schema/paths.ts';
import type { SecretsReport } from '#schema/proof.ts';
import { breaks } from '#schema/verdict.ts';
import { type BranchWish, branchOf, withBranchHere } from './open-here.ts';

/** Checks whether a branch adds secrets. Settings come from the base, never from the branch. */
export function secretsHere(surroundings: Surroundings, wish: BranchWish): Promise<SecretsReport> {
  return withBranchHere(surroundings, wish, async ({ scratch, mergeBase, tip, rules, baseRef }) => {
    const { files } = await readTexts(scratch.git, mergeBase, tip);
    return reportOn(files, rules.config.grounding, {
      scope: 'branch',
      branch: branchOf(wish),
      base: baseRef,
    });
  });
}

/** Checks whether the next commit would add secrets, for hooks: unstaged changes do not count. */
export async function stagedSecretsHere({ cwd, env }: Surroundings): Promise<SecretsReport> {
  const repository = await openRepository(cwd);
  const scratch = await createScratch(repository, join(cacheDir(thisHost(env)), 'objects', repository.key));
  try {
    const { tree, parent, hasParent } = await readStagedTree(repository, scratch);
    const policy = hasParent
      ? (await readBaseConfig(parent, filesOfCommit(repository.git, parent))).grounding
      : GroundingPolicy.parse({});
    const { files } = await readTexts(scratch.git, parent, tree);
    return reportOn(files, policy, {
      scope: 'staged',
      branch: 'the index',
      base: hasParent ? 'HEAD' : 'nothing',
    });
  } finally {
    await scratch.remove();
  }
}

function reportOn(
  files: readonly FileChange[],
  policy: GroundingPolicy,
  about: Pick<SecretsReport, 'scope' | 'branch' | 'base'>,
): SecretsReport {
  const isExempt = compileGlobs(policy.notSecret);
  const found = files.flatMap(secretFinder(policy));
  const findings = found
    .filter(({ isAllowed }) => !isAllowed)
    .map(({ file, line, kind, isCertain, fingerprint }) => ({
      rule: 'secret',
      severity: isCertain ? ('blocking' as const) : ('important' as const),
      fingerprint,
      message: `${file}:${line} adds what looks like ${kind} (${fingerprint})`,
      hint: `${secretHint}; if it is not a secret, add its fingerprint to grounding.allowedSecrets on the base`,
      file,
      line,
    }));
  const inconclusive = files.flatMap(({ path, unreadable }) =>
    unreadable === null || isExempt(path) ? [] : [{ file: path, reason: unreadable }],
  );
  const isBlocked = findings.some(breaks);
  return {
    schema: 'joinery/secrets@1',
    status: isBlocked ? 'fail' : inconclusive.length > 0 ? 'inconclusive' : 'pass',
    ...about,
    files: files.length,
    findings,
    allowed: found
      .filter(({ isAllowed }) => isAllowed)
      .map(({ fingerprint, file, line }) => ({ fingerprint, file, line })),
    inconclusive,
  };
}
