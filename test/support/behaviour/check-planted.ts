import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';
import { modulesFolder, type Planted } from './planted.ts';

/** The result of `check --confirm tests` for a planted pair: its witnesses, and its exit code. */
export async function checkPlanted({ base, branches, runner }: Planted) {
  const repository = new GitRepository();
  repository.commit(base);
  for (const [name, files] of Object.entries(branches)) repository.branch(name, files);
  if (runner === 'vitest') symlinkSync(modulesFolder, join(repository.dir, 'node_modules'));
  const cache = temporaryFolder();
  const { code, stdout, stderr } = await joinery(['check', '--json', '--confirm', 'tests'], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache },
  });
  if (stdout === '') throw new Error(stderr);
  const { findings, inconclusive, degraded } = CheckReport.parse(JSON.parse(stdout));
  const witnesses = findings
    .filter(({ rule }) => rule === 'V03')
    .map(({ branches: guilty, severity }) => `${severity}: ${guilty.join(' ')}`);
  return { code, witnesses, inconclusive, degraded };
}
