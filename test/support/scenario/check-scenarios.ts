import { join } from 'node:path';
import { checkBranches } from '#check/check.ts';
import { openRepository } from '#git/repository.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { buildRepository } from './build-repository.ts';
import type { Fork } from './scenario.ts';

/** Writes the forks into a repository below `dir` and returns what `joinery check` reports on the fork at an index. */
export async function openForks(
  forks: readonly Fork[],
  dir: string,
): Promise<(index: number) => Promise<CheckReport>> {
  await buildRepository(forks, join(dir, 'repository'));
  const repository = await openRepository(join(dir, 'repository'));
  return async (index) => {
    const { report } = await checkBranches({
      repository,
      base: `${index}/main`,
      branches: (forks[index]?.branches ?? []).map(({ name }) => `${index}/${name}`),
      cacheDir: join(dir, 'cache'),
      today: '2026-01-01',
    });
    return report;
  };
}

/** `7/a` is the branch `a` of the fork at index 7. */
export function plainRef(ref: string): string {
  return ref.slice(ref.indexOf('/') + 1);
}
