import { visibleLines } from '#lib/visible.ts';
import { type Case, renderSuites } from '#report/text/junit-xml.ts';
import type { GroundCheck, GroundReport } from '#schema/grounding.ts';

/** JUnit XML: one suite, a case per check. */
export function renderGroundJunit(report: GroundReport): string {
  const cases = report.checks.map((check) => caseOf(check, report));
  return renderSuites(`joinery ground ${report.branch.ref}`, [{ name: report.branch.ref, cases }]);
}

function caseOf({ name, status, detail, findings }: GroundCheck, { inconclusive }: GroundReport): Case {
  const [first] = findings;
  const lines = findings.map(({ severity, message, hint }) => `${severity}: ${message}\n  ${hint}`);
  const unknown = inconclusive.map(({ file, reason }) => [file, reason].filter(Boolean).join(': '));
  const at = { name, file: first?.file, line: first?.line };
  switch (status) {
    case 'fail':
      return {
        ...at,
        outcome: 'failure',
        summary: first?.message ?? detail,
        text: visibleLines(lines.join('\n')),
      };
    case 'inconclusive':
      return {
        ...at,
        outcome: 'error',
        summary: unknown[0] ?? detail,
        text: visibleLines([...lines, ...unknown].join('\n')),
      };
    case 'skipped':
      return { ...at, outcome: 'skipped', summary: detail, text: '' };
    case 'pass':
    case 'warn':
      return { ...at, outcome: 'passed', summary: '', text: visibleLines(lines.join('\n')) };
  }
}
