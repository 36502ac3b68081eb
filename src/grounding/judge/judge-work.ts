import { openScratch, type Scratch } from '#git/objects/scratch.ts';
import type { CriterionResult } from '#grounding/change/change.ts';
import { type ChangeSource, readChange, type Told } from '#grounding/change/read-change.ts';
import { type Grounding, ground } from '#grounding/ground.ts';
import { startThread, ThreadTimeout } from '#lib/thread.ts';

/** Work to be judged, as values. */
export interface Work {
  /** Where the objects of both commits are. */
  readonly objects: Pick<Scratch, 'dir' | 'objectFormat'>;
  readonly source: Omit<ChangeSource, 'git' | 'listing'>;
  readonly told: Told;
  readonly criteria: readonly CriterionResult[];
}

export interface Judgement {
  readonly grounding: Grounding;
  /** How many files changed. */
  readonly files: number;
}

export async function judgeWork({ objects, source, told, criteria }: Work): Promise<Judgement> {
  const { git } = openScratch(objects.dir, objects.objectFormat);
  const change = await readChange({ ...source, git }, told);
  return { grounding: ground({ ...change, criteria }), files: change.files.length };
}

/** The thread's file is beside this one, in `src` and in `dist`. */
const program = new URL(
  import.meta.url.endsWith('.ts') ? './judge-thread.ts' : './judge-thread.js',
  import.meta.url,
);

/** Many times what the largest honest change takes. */
const longestMs = 300_000;

/** The same on a separate thread: the caller still handles signals, and waits for a limited time. */
export async function judgeApart(
  { objects, ...work }: Omit<Work, 'objects'> & { readonly objects: Scratch },
  { signal, timeLimitMs = longestMs }: { readonly signal?: AbortSignal; readonly timeLimitMs?: number } = {},
): Promise<Judgement> {
  signal?.throwIfAborted();
  objects.own.write();
  const { dir, objectFormat } = objects;
  const thread = startThread<Judgement>(
    program,
    { ...work, objects: { dir, objectFormat } },
    { timeLimitMs },
  );
  const called = Promise.withResolvers<never>();
  const end = () => {
    called.reject(signal?.reason);
    void thread.end();
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([thread.answer, called.promise]);
  } catch (error) {
    if (error instanceof ThreadTimeout) return unjudged(error.message);
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** What cannot be judged in time is not accepted. */
function unjudged(message: string): Judgement {
  const reason = `judging it was given up: ${message}`;
  const check = { name: 'gate-tampering', severity: 'blocking', detail: reason, findings: [] } as const;
  return {
    grounding: {
      status: 'inconclusive',
      checks: [{ ...check, status: 'inconclusive', findings: [] }],
      inconclusive: [{ reason }],
      awaits: [],
    },
    files: 0,
  };
}
