import type { Repository } from '#git/call/repository.ts';
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
  const { stdout, code } = await repository.git.run(
    [
      'for-each-ref',
      '--sort=-committerdate',
      `--count=${mostBranches}`,
      `--no-merged=${base}`,
      `--format=${format.join('%00')}`,
      'refs/heads/',
    ],
    { accept: [0, 128, 129] },
  );
  if (code !== 0) return [];
  const lines = stdout.toString('utf8').split('\n').filter(Boolean);
  return Promise.all(
    lines.map(async (line) => {
      const [ref = '', commit = '', subject = '', author = '', at = ''] = line.split('\0');
      return {
        ref,
        commit,
        subject,
        author,
        at,
        ahead: await ahead(repository, base, commit),
        ...judged(ref, commit, report),
      };
    }),
  );
}

async function ahead({ git }: Repository, base: string, commit: string): Promise<number> {
  const { stdout, code } = await git.run(['rev-list', '--count', commit, `^${base}`], { accept: [0, 128] });
  return code === 0 ? Number(stdout.toString('utf8')) : 0;
}

function judged(
  ref: string,
  commit: string,
  report: CheckReport | null,
): Pick<BranchRow, 'state' | 'findings'> {
  const checked = report?.branches.find((branch) => branch.ref === ref);
  if (!report || !checked) return { state: 'unknown', findings: 0 };
  const findings = report.findings.filter((finding) => finding.branches.includes(ref)).length;
  if (checked.commit !== commit) return { state: 'stale', findings };
  return { state: report.landable.includes(ref) ? 'fits' : 'blocked', findings };
}
