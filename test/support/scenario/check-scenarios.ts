import { join } from 'node:path';
import { checkBranches } from '#check/check.ts';
import { openRepository } from '#git/call/repository.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { buildRepository } from './build-repository.ts';
import type { Fork } from './scenario.ts';

/** Writes the forks into a repository below `dir` and returns a function that checks the fork at an index. */
export async function openForks(
  forks: readonly Fork[],
  dir: string,
): Promise<(index: number) => Promise<CheckReport>> {
  await buildRepository(forks, join(dir, 'repository'));
  const refs = forks.map(({ branches }, index) => branches.map(({ name }) => `${index}/${name}`));
  const bases = forks.map((_, index) => `${index}/main`);
  // All names at once: saves every check a process that would resolve its own.
  const repository = await openRepository(join(dir, 'repository'), [...bases, ...refs.flat()]);
  return async (index) => {
    const { report } = await checkBranches({
      repository,
      base: bases[index] ?? null,
      branches: refs[index] ?? [],
      cacheDir: join(dir, 'cache'),
      wantsRisk: forks[index]?.risk === true,
      today: '2026-01-01',
    });
    return report;
  };
}

/** `7/a` is the branch `a` of the fork at index 7. */
export function plainRef(ref: string): string {
  return ref.slice(ref.indexOf('/') + 1);
}
