import { checkBranches } from '#check/check.ts';
import { openRepository } from '#git/call/repository.ts';
import type { Finding } from '#schema/check-report.ts';
import { needsRisk } from '#schema/rules.ts';
import type { Seeded } from './seed.ts';
import { twoAtATime } from './two-at-a-time.ts';

/** The result of the check for one scenario and its twin. */
export interface Outcome {
  readonly seeded: Seeded;
  readonly findings: readonly Finding[];
  /** Findings that describe this conflict, those of the rule itself first. */
  readonly matches: readonly Finding[];
  readonly onTwin: readonly Finding[];
}

export type Confirm = 'none' | 'types';

/** Checks every scenario and its twin. Of hidden findings (below `likely`), only those of the rule itself count. */
export async function score(seeded: readonly Seeded[], cacheDir: string, by: Confirm): Promise<Outcome[]> {
  const findingsOf = async ({ dir, operator }: Seeded, [base, ...branches]: Seeded['conflict']) => {
    const { report } = await checkBranches({
      repository: await openRepository(dir),
      base,
      branches,
      cacheDir,
      confirm: { by, demanded: false, timeLimitMs: 120_000 },
      wantsRisk: needsRisk(operator.rule),
      today: '2026-01-01',
    });
    const unable = report.degraded.find(({ check }) => by === 'types' && check === 'types');
    if (unable) throw new Error(`the checker could not work on ${base}: ${unable.reason}`);
    return report.findings.filter(
      ({ confidence, rule }) =>
        (confidence !== 'possible' || rule === operator.rule) && !operator.companions?.includes(rule),
    );
  };
  return twoAtATime(seeded, async (entry) => {
    const findings = await findingsOf(entry, entry.conflict);
    const matches = findings.filter((finding) => names(finding, entry));
    const isOwn = ({ rule }: Finding) => rule === entry.operator.rule;
    return {
      seeded: entry,
      findings,
      matches: [...matches.filter(isOwn), ...matches.filter((finding) => !isOwn(finding))],
      onTwin: await findingsOf(entry, entry.twin),
    };
  });
}

/** The same conflict: it names both guilty branches, and the common symbol or the failing file. */
function names(finding: Finding, { candidate, conflict }: Seeded): boolean {
  if (!guiltyOf(candidate, conflict).every((ref) => finding.branches.includes(ref))) return false;
  return finding.sites.some(
    ({ symbol, file }) => symbol.includes(candidate.symbol) || file === candidate.consumerFile,
  );
}

function guiltyOf({ guilty = ['a', 'b'] }: Seeded['candidate'], [, a, b, c]: Seeded['conflict']): string[] {
  const refs = { a, b, c };
  return guilty.map((side) => refs[side]);
}

export function isExactSet(finding: Finding, { candidate, conflict }: Seeded): boolean {
  const guilty = guiltyOf(candidate, conflict);
  return finding.branches.length === guilty.length && guilty.every((ref) => finding.branches.includes(ref));
}
