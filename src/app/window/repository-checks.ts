import { baseOverride, checkHere } from '#app/checks/check-here.ts';
import { lastCheckedAt, lastFrames, readEarlier } from '#app/checks/report-history.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { Repository } from '#git/call/repository.ts';
import { checkViewOf } from '#report/check/html.ts';
import type { CheckView } from '#schema/window.ts';

const rememberedChecks = 100;

export interface RepositoryChecks {
  /** Null if nothing was checked yet. */
  last(): Promise<CheckView | null>;
  /** The same request twice is one check. */
  run(id: string, base: string | undefined, branches: readonly string[]): Promise<CheckView>;
}

/** The last check of a repository, from any process, and new ones. `state` is the folder that keeps them. */
export function repositoryChecks(
  { from }: Repository,
  surroundings: Surroundings,
  state: string,
  name: string,
): RepositoryChecks {
  const requests = new Map<string, Promise<CheckView>>();

  const last = async (): Promise<CheckView | null> => {
    const at = lastCheckedAt(state);
    if (at === null) return null;
    const { report: found, delta } = await readEarlier('last', state, from);
    const report = delta && !found.delta ? { ...found, delta } : found;
    const frames = lastFrames(state);
    const shown = report.findings.map(({ id }) => [id, [...(frames[id] ?? [])]] as const);
    return {
      schema: 'joinery/check-view@1',
      at: at.toISOString(),
      repository: name,
      report,
      frames: Object.fromEntries(shown) as CheckView['frames'],
    };
  };

  const checkNow = async (base: string | undefined, refs: readonly string[]): Promise<CheckView> => {
    const against = (await last().catch(() => null)) === null ? undefined : 'last';
    const flags = base === undefined ? [] : [baseOverride(base)];
    const { report, frames } = await checkHere(surroundings, { names: refs, hasBase: true, against, flags });
    return checkViewOf(report, frames, new Date(), name);
  };

  return {
    last,
    run(id, base, refs) {
      const known = requests.get(id);
      if (known) return known;
      const begun = checkNow(base, refs);
      requests.set(id, begun);
      for (const oldest of [...requests.keys()].slice(0, -rememberedChecks)) requests.delete(oldest);
      return begun;
    },
  };
}
