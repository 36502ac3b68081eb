import { join } from 'node:path';
import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { StableNames } from '#check/branches/stable-names.ts';
import { LostAnswer, OutcomeStore } from '#check/cache/outcome-store.ts';
import type { CheckOutcome, CheckRequest, Stage } from '#check/check.ts';
import { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { openScratch } from '#git/objects/scratch.ts';
import type { AroundThread } from '#lib/thread.ts';

/** What a check asks another thread, as values. */
export interface ExamineRequest {
  readonly repository: Omit<Repository, 'git'>;
  /** Of the check: created and removed by the caller. */
  readonly scratchDir: string;
  readonly named: {
    readonly base: BranchTip;
    readonly tips: readonly BranchTip[];
    readonly stable: StableNames;
  };
  readonly asked: Omit<CheckRequest, 'repository' | 'settingsOf' | 'progress' | 'onInterrupt' | 'snapshots'>;
  readonly surroundings: string;
  readonly maxBytes: number;
}

/** Progress while it runs. */
export type ToldByThread = { readonly progress: string } | { readonly stage: Stage };

export async function examineRequest(
  request: ExamineRequest,
  around: AroundThread<ToldByThread>,
): Promise<CheckOutcome> {
  const { asked, named, maxBytes, surroundings } = request;
  const repository = { ...request.repository, git: new Git({ cwd: request.repository.from }) };
  const scratch = openScratch(request.scratchDir, repository.objectFormat);
  const names = new ObjectReader(repository.git);
  const objects = new ObjectReader(scratch.git);
  const options = { surroundings, maxBytes: maxBytes / 4 };
  const outcomes = new OutcomeStore(join(asked.cacheDir, 'outcomes.db'), options);
  try {
    const workspace = { repository, scratch, names, objects };
    const { examineBranches } = await import('./examine.ts');
    const whole = {
      ...asked,
      repository,
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
    // With objects missing in this clone, the result may be different the next time.
    if (!objects.sawMissing) outcomes.keep();
    return outcome;
  } finally {
    names.close();
    objects.close();
    outcomes.close();
  }
}
