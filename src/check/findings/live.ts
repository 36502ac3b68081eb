import type { CheckReport, Finding } from '#schema/check-report.ts';
import { compareReports } from './delta.ts';

/** The findings of a live check, with the latest report. */
export interface Live {
  readonly report: CheckReport;
  /** By id; findings that a later, inconclusive check did not cover are still open. */
  readonly open: ReadonlyMap<string, Finding>;
}

export interface LiveChange {
  readonly live: Live;
  readonly new: readonly Finding[];
  readonly gone: readonly Finding[];
}

/** The changes that a new report brings. A finding is gone when a check that could read everything, or at least its files, lacks it. */
export function nextLive(before: Live | null, report: CheckReport): LiveChange {
  const shown = report.findings.filter(({ effect }) => effect !== 'hidden');
  const now = new Map(shown.map((finding) => [finding.id, finding]));
  const known = before?.open ?? new Map<string, Finding>();
  const lacking = [...known.values()].filter(({ id }) => !now.has(id));
  const unseen = new Set(
    before === null || report.inconclusive.length === 0
      ? []
      : compareReports({ ...before.report, findings: lacking }, report).unverified.map(({ id }) => id),
  );
  const kept = lacking.filter(({ id }) => unseen.has(id));
  return {
    live: { report, open: new Map([...kept.map((finding) => [finding.id, finding] as const), ...now]) },
    new: shown.filter(({ id }) => !known.has(id)),
    gone: lacking.filter(({ id }) => !unseen.has(id)),
  };
}

/** Names of branches and worktrees that point to another commit than before, and names that appeared or disappeared. */
export function movedRefs(before: CheckReport | null, after: CheckReport): string[] {
  const tips = ({ base, branches }: CheckReport) =>
    new Map([base, ...branches].map(({ ref, commit }) => [ref, commit]));
  const [old, now] = [before === null ? new Map<string, string>() : tips(before), tips(after)];
  return [...new Set([...now.keys(), ...old.keys()])].filter((ref) => old.get(ref) !== now.get(ref));
}
