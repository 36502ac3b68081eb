/**
 * `node scripts/with-node.js bench/accuracy/real-conflicts.ts [--not-asked] <folder of clones> [<file.json>]`: runs `check` on every
 * merge in real-conflicts.json (`--not-asked`: only on those not checked yet) as it was before the merge, and writes the findings into the file. A clone of
 * https://github.com/owner/name is expected at `<folder>/owner+name`. `label` and `toldBy` are judgements of a person.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBranches } from '#check/check.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { isJoineryError } from '#schema/errors.ts';

interface RealConflict {
  readonly repository: string;
  readonly merge: string;
  /** The commit merged into, and the merged commit. */
  readonly parents: readonly [string, string];
  /** The later commit that repairs what the merge broke. */
  readonly repair: string;
  /** The merge also has text conflicts, at other places. */
  readonly textConflicts: boolean;
  /** The clash, described by a person. */
  readonly label: string;
  /** Rules whose findings describe this clash, as judged by a person. */
  readonly toldBy: readonly string[];
  /** Not looked at while rules were improved. */
  readonly heldOut: boolean;
  /** 2, 3, 4: the second, third and fourth held-out set. */
  readonly round?: 2 | 3 | 4;
  /** Labelled, but not checked yet. */
  readonly notAsked?: true;
  /** Findings of a later version that was improved by looking at this case. */
  readonly foundLater?: RealConflict['found'];
  /** What reading a miss again showed. It still counts as it was asked first. */
  readonly readAgain?: string;
  /** Why it is not a conflict between the two sides after all. */
  readonly leftOut?: string;
  /** `label`: a person's judgement of the finding, if there is one. */
  found: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly message: string;
    readonly label?: 'true' | 'false' | 'unclear';
  }[];
}

const { values: flags, positionals } = parseArgs({
  options: { 'not-asked': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder = '', file = 'bench/accuracy/real-conflicts.json'] = positionals;
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
  for (const { reason } of report.inconclusive)
    console.log(`${conflict.merge.slice(0, 12)} inconclusive: ${reason}`);
  return report.findings
    .filter(({ rule, severity }) => !rule.startsWith('T') && severity !== 'info')
    .map(({ rule, severity, message }) => ({ rule, severity, message }));
}

for (const conflict of conflicts) {
  if (flags['not-asked'] && !conflict.notAsked) continue;
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
