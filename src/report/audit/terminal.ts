import { visible } from '#lib/visible.ts';
import { counted } from '#report/check/wording.ts';
import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import { tintOf } from '#report/text/paint.ts';
import type { AuditFinding, AuditReport, AuditStatus } from '#schema/audit.ts';

const mostGaps = 20;

/** For people: the score, the problems with their places, then what was handed on and not used. */
export function renderAuditTerminal(report: AuditReport, page: Page): string {
  const lines = [
    ...warning(report, page),
    ...headline(report, page),
    ...figures(report, page),
    ...problems(report, page),
    ...unused(report, page),
    ...agents(report, page),
  ];
  return `${lines.join('\n')}\n`;
}

function warning({ status }: AuditReport, { paint, width, unicode }: Page): string[] {
  if (status !== 'Theater') return [];
  const text =
    'COORDINATION FAILURE: score below 50 %. The agents did not function as a team. Consider revising their prompts before the next try.';
  return hang(`${marksOf({ unicode }).warn} `, text, { width, tintLabel: paint.red, tint: paint.red });
}

function tintFor(status: AuditStatus, { paint }: Page) {
  const tints = {
    Healthy: paint.green,
    Normal: paint.cyan,
    Suspicious: paint.yellow,
    Theater: paint.red,
    'n/a': paint.dim,
  };
  return tints[status];
}

function headline(report: AuditReport, page: Page): string[] {
  const { width, paint } = page;
  const marks = marksOf(page);
  const { score, status, exitCode } = report;
  const mark = exitCode === 0 ? marks.pass : exitCode === 1 ? marks.fail : marks.warn;
  const told =
    score === null
      ? 'Coordination Score n/a: no output was addressed to an agent that took part'
      : `Coordination Score ${score} %: ${status}`;
  return [
    ...hang(`${mark} `, visible(`${report.subject.name}: ${told}`), {
      width,
      tintLabel: exitCode === 1 ? paint.red : tintFor(status, page),
      tint: paint.bold,
    }),
  ];
}

function figures(report: AuditReport, { width, paint }: Page): string[] {
  const { actualEdges, possibleEdges, gaps, fabrications, orphans, compliance, missingOutputs } = report;
  const parts = [
    `${actualEdges}/${possibleEdges} edges`,
    counted(gaps.length, 'gap'),
    ...(missingOutputs.length > 0 ? [`${missingOutputs.length} expected and not declared`] : []),
    counted(fabrications.length, 'fabrication'),
    counted(orphans.length, 'orphan'),
    `${compliance.compliant} of ${compliance.total} records in order`,
  ];
  return hang('  ', parts.join(', '), { width, tint: paint.dim });
}

const shownApart = new Set<AuditFinding['flag']>(['UNUSED_OUTPUT', 'MISSING_SUBSECTION']);

function problems({ findings }: AuditReport, page: Page): string[] {
  const { paint, width } = page;
  const { arrow } = marksOf(page);
  const byFile = Map.groupBy(
    findings.filter(({ flag }) => !shownApart.has(flag)),
    ({ file }) => file,
  );
  return [...byFile].flatMap(([file, list]) => [
    '',
    `  ${paint.bold(visible(file))}`,
    ...list.flatMap(({ line, flag, severity, message, hint }) => [
      ...labelled(`    ${line}: ${flag}  `, visible(message), width, tintOf(paint, severity)),
      ...(hint === '' ? [] : hang(`      ${arrow} `, visible(hint), { width, tint: paint.dim })),
    ]),
  ]);
}

/** A label that would leave too little room for its text gets a separate line. */
function labelled(label: string, text: string, width: number, tint: (text: string) => string): string[] {
  if (label.length < width * 0.4) return hang(label, text, { width, tintLabel: tint });
  return [tint(label.trimEnd()), ...hang('      ', text, { width })];
}

function unused({ gaps }: AuditReport, { paint, width }: Page): string[] {
  if (gaps.length === 0) return [];
  const rest = gaps.length - mostGaps;
  return [
    '',
    `  ${paint.bold('Handed on, not used')}`,
    ...gaps
      .slice(0, mostGaps)
      .flatMap(({ agent, output, addressedTo }) =>
        hang('    ', visible(`${output}: ${agent} made it for ${addressedTo.join(', ')}`), { width }),
      ),
    ...(rest > 0 ? [`    and ${rest} more; all of them: --json`] : []),
  ];
}

function agents({ agents: rows }: AuditReport, { paint, width }: Page): string[] {
  if (rows.length === 0) return [];
  const name = Math.max(0, ...rows.map(({ agent }) => agent.length));
  return [
    '',
    `  ${paint.bold('Agents')}`,
    ...rows.flatMap(({ agent, hasRecord, outputs, density, citationsIn }) => {
      const told = hasRecord
        ? `cited ${citationsIn}, declared ${outputs.declared}, ${density === null ? 'no step could cite them' : `${density} % of them cited`}`
        : 'no record';
      return hang(`    ${visible(agent).padEnd(name)}  `, told, { width, tint: paint.dim });
    }),
  ];
}
