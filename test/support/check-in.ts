import { checkBranches } from '#check/check.ts';
import { openRepository } from '#git/call/repository.ts';
import { CheckReport } from '#schema/check-report.ts';
import { temporaryFolder } from './joinery.ts';

/** Checks branches in this process, with a separate cache: much faster than a process for each check. */
export async function checkIn(
  { dir }: { readonly dir: string },
  base: string,
  ...branches: readonly string[]
): Promise<CheckReport> {
  const { report } = await checkBranches({
    repository: await openRepository(dir),
    base,
    branches,
    cacheDir: temporaryFolder(),
    today: '2026-01-01',
  });
  return CheckReport.strict().parse(report);
}
