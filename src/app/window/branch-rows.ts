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

/** Local branches that are not merged into base, newest first, each with the result of the last check. */
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
  const tips = rows.map(({ commit }) => commit);
  const ahead = await commitsAhead(repository, onto, tips);
  return rows.map((row) => ({ ...row, ahead: ahead(row.commit), ...judged(row.ref, report, isFresh) }));
}

/** Counts the commits of a tip that base lacks; one git call serves all tips. */
async function commitsAhead({ git }: Repository, base: string, tips: readonly string[]) {
  const { stdout } = await git.run(['rev-list', '--parents', '--stdin'], {
    input: [...tips, `^${base}`, ''].join('\n'),
  });
  const parents = new Map(
    stdout
      .toString('utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [commit = '', ...others] = line.split(' ');
        return [commit, others] as const;
      }),
  );
  return (tip: string): number => {
    const reached = new Set([tip]);
    // Iterating over a Set also visits elements added during the iteration.
    for (const commit of reached)
      for (const parent of parents.get(commit) ?? []) if (parents.has(parent)) reached.add(parent);
    return reached.size;
  };
}

/** A verdict covers all commits that were checked together, base and branches. A deleted branch does not invalidate it. */
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
