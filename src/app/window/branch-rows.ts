import type { Repository } from '#git/call/repository.ts';
import { readRef } from '#git/merges/branches.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type { BranchRow } from '#schema/window.ts';

const mostBranches = 500;
const format = [
  '%(refname:short)',
  '%(objectname)',
  '%(contents:subject)',
  '%(authorname)',
  '%(committerdate:iso-strict)',
];

/** Local branches that the base does not hold, newest first, with what the last check said about each. */
export async function branchRows(
  repository: Repository,
  base: string,
  report: CheckReport | null,
): Promise<BranchRow[]> {
  const onto = await readRef(repository.git, base);
  if (onto === null) return [];
  const { stdout } = await repository.git.run([
    'for-each-ref',
    '--sort=-committerdate',
    `--count=${mostBranches}`,
    `--no-merged=${onto}`,
    `--format=${format.join('%00')}`,
    'refs/heads/',
  ]);
  const rows = stdout
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [ref = '', commit = '', subject = '', author = '', at = ''] = line.split('\0');
      return { ref, commit, subject, author, at };
    });
  const isFresh = report !== null && (await standsStill(repository, onto, report));
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      ahead: await ahead(repository, onto, row.commit),
      ...judged(row.ref, report, isFresh),
    })),
  );
}

async function ahead({ git }: Repository, base: string, commit: string): Promise<number> {
  return Number(await git.text(['rev-list', '--count', commit, `^${base}`]));
}

/** A verdict is about all commits that were checked together: base and branches. What is gone takes nothing back. */
async function standsStill({ git }: Repository, base: string, report: CheckReport): Promise<boolean> {
  if (report.base.commit !== base) return false;
  const named = report.branches.filter(({ ref }) => !/^[./]/.test(ref));
  const { stdout } = await git.run(['cat-file', '--batch-check=%(objectname)'], {
    input: named.map(({ ref }) => `${ref}^{commit}\n`).join(''),
  });
  const now = stdout.toString('utf8').split('\n');
  return named.every(({ commit }, index) => now[index] === commit || now[index]?.endsWith(' missing'));
}

function judged(
  ref: string,
  report: CheckReport | null,
  isFresh: boolean,
): Pick<BranchRow, 'state' | 'findings'> {
  if (!report?.branches.some((branch) => branch.ref === ref)) return { state: 'unknown', findings: 0 };
  const findings = report.findings.filter(({ branches }) => branches.includes(ref)).length;
  if (!isFresh) return { state: 'stale', findings };
  return { state: report.landable.includes(ref) ? 'fits' : 'blocked', findings };
}
