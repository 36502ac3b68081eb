import { join } from 'node:path';
import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { StableNames } from '#check/branches/stable-names.ts';
import { lackingNow } from '#check/cache/lacking.ts';
import { LostAnswer, OutcomeStore } from '#check/cache/outcome-store.ts';
import type { CheckRequest, Stage } from '#check/check.ts';
import { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { openScratch } from '#git/objects/scratch.ts';
import type { AroundThread } from '#lib/thread.ts';
import type { Examined } from './examine.ts';

/** A check's request to another thread, as plain values. */
export interface ExamineRequest {
  readonly repository: Omit<Repository, 'git'>;
  /** The scratch of the check: the caller creates and removes it. */
  readonly scratchDir: string;
  readonly named: {
    readonly base: BranchTip;
    readonly tips: readonly BranchTip[];
    /** How many branches were left out because their last commits are older. */
    readonly older: number;
    readonly stable: StableNames;
  };
  readonly asked: Omit<
    CheckRequest,
    'repository' | 'settingsOf' | 'progress' | 'onInterrupt' | 'snapshots' | 'onLeftOut'
  >;
  readonly surroundings: string;
  /** Objects that the clone is known to lack. */
  readonly lacking: readonly string[];
  readonly maxBytes: number;
}

/** With all objects that the clone is known to lack by then; null: they cannot be listed, nothing is cached. */
export type Answered = Examined & { readonly lacking: readonly string[] | null };

/** Progress while it runs. */
export type ToldByThread = { readonly progress: string } | { readonly stage: Stage };

/** Parsers, the index of words and rules read the same files: most blobs of a check are read twice. */
const mostRecentBytes = 128 * 1024 * 1024;

export async function examineRequest(
  request: ExamineRequest,
  around: AroundThread<ToldByThread>,
): Promise<Answered> {
  const { asked, named, maxBytes, surroundings } = request;
  const repository = { ...request.repository, git: new Git({ cwd: request.repository.from }) };
  const scratch = openScratch(request.scratchDir, repository.objectFormat);
  const names = new ObjectReader(repository.git);
  const objects = new ObjectReader(scratch.git, { mostRecentBytes });
  const options = { surroundings, maxBytes: maxBytes / 4 };
  const outcomes = new OutcomeStore(join(asked.cacheDir, 'outcomes.db'), options);
  outcomes.knowLacking(request.lacking);
  try {
    const workspace = { repository, scratch, names, objects };
    const { examineBranches } = await import('./examine.ts');
    const keepAnswers = () => {
      const lacking = lackingNow(outcomes.without, objects.missing);
      if (lacking !== null) outcomes.keep(lacking);
      return lacking;
    };
    const whole = {
      ...asked,
      repository,
      keepAnswers,
      maxFactsBytes: maxBytes - maxBytes / 4,
      progress: (progress: string) => around.tell({ progress }),
      stage: (stage: Stage) => around.tell({ stage }),
      onInterrupt: around.onStop,
    };
    const examine = () => examineBranches(workspace, named, outcomes, whole);
    const outcome = await examine().catch((error: unknown) => {
      if (!(error instanceof LostAnswer)) throw error;
      outcomes.forget();
      return examine();
    });
    return { ...outcome, lacking: keepAnswers() };
  } finally {
    names.close();
    objects.close();
    outcomes.close();
  }
}
