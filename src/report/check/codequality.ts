import { visible } from '#lib/visible.ts';
import { printJson } from '#report/text/json.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type { Effect } from '#schema/verdict.ts';
import type { Severity } from '#schema/vocabulary.ts';
import { groupByCause, isForPeople, siteFor } from './groups.ts';
import { ruleTitle } from './wording.ts';

/** By what a finding does; one that stops nothing is `major` at most. */
const severities: Record<Effect, 'blocker' | 'critical' | 'major' | 'info'> = {
  stops: 'blocker',
  asks: 'critical',
  shown: 'major',
  hidden: 'info',
};
const mild: ReadonlySet<Severity> = new Set(['minor', 'info']);

interface CodeQualityOptions {
  /** Show findings at a place of this branch, if they have one. */
  readonly branch?: string | null;
}

/** GitLab's Code Quality report: a row per finding, at the place that has to change. No place, no row. */
export function renderCodeQuality(report: CheckReport, { branch = null }: CodeQualityOptions = {}): string {
  const rows = groupByCause(report.findings.filter(isForPeople))
    .flat()
    .flatMap((finding) => {
      const site = siteFor(finding, branch);
      if (!site) return [];
      const { rule, severity, effect, message, branches, suggestion, id } = finding;
      const move = suggestion === '' ? '' : ` Move: ${suggestion}.`;
      return [
        {
          description: visible(`${message} (${branches.join(', ')}).${move}`),
          check_name: ruleTitle(rule),
          fingerprint: id,
          severity: mild.has(severity) ? severity : severities[effect],
          location: {
            path: visible(site.file),
            lines: { begin: site.line, end: Math.max(site.line, site.endLine) },
          },
        },
      ];
    });
  return printJson(rows);
}
