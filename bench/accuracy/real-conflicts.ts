/**
 * `node scripts/with-node.js bench/accuracy/real-conflicts.ts <folder of clones> [<file.json>]`: asks `check` about every merge in
 * real-conflicts.json as it was before it was merged, and writes into the file what it found. A clone of
 * https://github.com/owner/name is expected at `<folder>/owner+name`. Labels and `toldBy` are a person's.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBranches } from '#check/check.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { isJoineryError } from '#schema/errors.ts';

interface RealConflict {
  readonly repository: string;
  readonly merge: string;
  /** What was merged into, and what was merged. */
  readonly parents: readonly [string, string];
  /** The commit after it that repairs what the merge broke. */
  readonly repair: string;
  /** The text of the merge conflicts too, in other places. */
  readonly textConflicts: boolean;
  /** What clashes, in a person's words. */
  readonly label: string;
  /** Rules whose finding tells of that, in a person's judgement. */
  readonly toldBy: readonly string[];
  /** Not looked at while rules were improved. */
  readonly heldOut: boolean;
  /** 2, 3: the second and the third held-out set. */
  readonly round?: 2 | 3;
  /** Labelled, and not asked yet. */
  readonly notAsked?: true;
  /** Why it is no conflict between the two sides after all. */
  readonly leftOut?: string;
  /** `label`: a person's judgement of the finding, where one was made. */
  found: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly message: string;
    readonly label?: 'true' | 'false' | 'unclear';
  }[];
}

const [folder = '', file = 'bench/accuracy/real-conflicts.json'] = process.argv.slice(2);
const conflicts = JSON.parse(readFileSync(file, 'utf8')) as RealConflict[];
const cacheDir = mkdtempSync(join(tmpdir(), 'joinery-conflicts-'));

async function clone(repository: string): Promise<Repository> {
  const place = join(folder, repository.replace('/', '+'));
  return openRepository(existsSync(join(place, 'repo')) ? join(place, 'repo') : place);
}

async function findings(conflict: RealConflict): Promise<RealConflict['found']> {
  const [base, topic] = conflict.parents;
  const { report } = await checkBranches({
    repository: await clone(conflict.repository),
    base: 'base',
    branches: ['topic'],
    commits: new Map([
      ['base', base],
      ['topic', topic],
    ]),
    cacheDir,
    confirm: { by: 'none', demanded: false, timeLimitMs: 0 },
    today: '2026-01-01',
  });
  return report.findings
    .filter(({ rule, severity }) => !rule.startsWith('T') && severity !== 'info')
    .map(({ rule, severity, message }) => ({ rule, severity, message }));
}

for (const conflict of conflicts) {
  try {
    conflict.found = await findings(conflict);
    writeFileSync(file, `${JSON.stringify(conflicts, null, 2)}\n`);
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    console.log(`${conflict.merge.slice(0, 12)} left out: ${error.message}`);
  }
}
rmSync(cacheDir, { recursive: true, force: true });
writeFileSync(file, `${JSON.stringify(conflicts, null, 2)}\n`);
