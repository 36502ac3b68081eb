import { openRepository } from '../../src/git/repository.ts';
import type { Finding } from '../../src/model/check-report.ts';
import { checkBranches } from '../../src/seams/check.ts';
import type { Seeded, Sown } from './seed.ts';

/** What the check said about one scenario and its twin. */
export interface Outcome {
  readonly seeded: Seeded;
  readonly findings: readonly Finding[];
  /** Findings that name this conflict. */
  readonly matches: readonly Finding[];
  readonly onTwin: readonly Finding[];
}

/** Runs the check over every kept scenario and its twin. Findings below `likely` are not shown to anyone. */
export async function score(sown: Sown, cacheDir: string, by: 'none' | 'types'): Promise<Outcome[]> {
  const repository = await openRepository(sown.dir);
  const findingsOf = async ([base, ...branches]: readonly string[]): Promise<Finding[]> => {
    const { report } = await checkBranches({
      repository,
      base: base ?? null,
      branches,
      cacheDir,
      confirm: { by, demanded: false, timeLimitMs: 120_000 },
      today: '2026-01-01',
    });
    return report.findings.filter(({ confidence }) => confidence !== 'possible');
  };
  const outcomes: Outcome[] = [];
  for (const seeded of sown.seeded.filter(({ rejected }) => rejected === null)) {
    const findings = await findingsOf(seeded.conflict);
    outcomes.push({
      seeded,
      findings,
      matches: findings.filter((finding) => names(finding, seeded)),
      onTwin: await findingsOf(seeded.twin),
    });
  }
  return outcomes;
}

/** The same conflict: it holds both guilty branches, and the symbol both meet at or the file that fails. */
function names(finding: Finding, { candidate, conflict }: Seeded): boolean {
  const [, a, b] = conflict;
  if (!finding.branches.includes(a) || !finding.branches.includes(b)) return false;
  return finding.sites.some(
    ({ symbol, file }) => symbol.includes(candidate.symbol) || file === candidate.consumerFile,
  );
}

export function isExactSet(finding: Finding, { conflict }: Seeded): boolean {
  const [, a, b] = conflict;
  return finding.branches.length === 2 && finding.branches.includes(a) && finding.branches.includes(b);
}
