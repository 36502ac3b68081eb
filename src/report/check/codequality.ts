import { visible } from '#lib/visible.ts';
import { printJson } from '#report/text/json.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type { Severity } from '#schema/vocabulary.ts';
import { groupByCause, isForPeople, siteFor } from './groups.ts';
import { ruleTitle } from './wording.ts';

const severities: Record<Severity, 'blocker' | 'major' | 'minor' | 'info'> = {
  blocking: 'blocker',
  important: 'major',
  minor: 'minor',
  info: 'info',
};

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
      const { rule, severity, message, branches, suggestion, id } = finding;
      const move = suggestion === '' ? '' : ` Move: ${suggestion}.`;
      return [
        {
          description: visible(`${message} (${branches.join(', ')}).${move}`),
          check_name: ruleTitle(rule),
          fingerprint: id,
          severity: severities[severity],
          location: {
            path: visible(site.file),
            lines: { begin: site.line, end: Math.max(site.line, site.endLine) },
          },
        },
      ];
    });
  return printJson(rows);
}
