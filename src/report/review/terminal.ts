import { visible } from '#lib/visible.ts';
import { counted } from '#report/check/wording.ts';
import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import { tintOf } from '#report/text/paint.ts';
import type { ReviewReport } from '#schema/review.ts';

/** For people: the verdict, what is accepted and proven, which reviewer said what, the cost. */
export function renderReview(report: ReviewReport, page: Page): string {
  const { paint, width } = page;
  const marks = marksOf(page);
  const verdicts = {
    approve: { mark: marks.pass, tint: paint.green },
    revise: { mark: marks.fail, tint: paint.red },
    uncertain: { mark: marks.unknown, tint: paint.yellow },
  };
  const { mark, tint } = verdicts[report.verdict];
  const say = (label: string, text: string, colour = paint.dim) =>
    hang(`  ${label}  `, visible(text), { width, tintLabel: colour });
  return `${[
    ...hang(`${mark} `, visible(`${report.branch.ref}: ${report.verdict} (${report.reason})`), {
      width,
      tintLabel: tint,
      tint: paint.bold,
    }),
    ...bucketLines(report, page),
    ...report.criteria.flatMap(({ status, text }) =>
      say(status, text, status === 'met' ? paint.green : paint.yellow),
    ),
    ...report.scopeCreep.flatMap(({ file, why }) => say('beyond the task', `${file}: ${why}`, paint.yellow)),
    ...(report.audit ? say(`${report.audit.route} audit`, auditText(report.audit)) : []),
    ...(report.mutants
      ? say('mutants', `${report.mutants.killed} of ${report.mutants.tried} were noticed by tests`)
      : []),
    ...(report.mutants?.survived ?? []).flatMap(({ file, line, was, becomes }) =>
      say('not noticed', `${file}:${line} ${was} → ${becomes}`, paint.yellow),
    ),
    ...report.redTests.flatMap(({ file, finding }) => say('red test', `${file} shows ${finding}`, paint.red)),
    ...say(`consensus ${report.consensus.verdict}`, report.consensus.reason),
    ...report.reviewers.flatMap(({ name, status, reason, findings, alone }) =>
      say(
        name,
        `${status}${reason === '' ? '' : `: ${reason}`}, ${counted(findings, 'finding')}, ${alone.length} that no other has`,
      ),
    ),
    ...costLines(report, say),
    ...(report.resume === null
      ? []
      : [
          `  ${report.verdict === 'revise' ? 'when it has changed' : 'try again'}: ${visible(report.resume)}`,
        ]),
  ].join('\n')}\n`;
}

function auditText({ status, reason, findings }: NonNullable<ReviewReport['audit']>): string {
  return status === 'answered' ? counted(findings, 'finding') : `no answer: ${reason}`;
}

function bucketLines({ findings, triage }: ReviewReport, { paint, width }: Page): string[] {
  if (!triage) return [];
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return (['accepted', 'deferred', 'rejected'] as const).flatMap((bucket) =>
    triage[bucket].flatMap(({ id, reason, verification }) => {
      const finding = byId.get(id);
      if (!finding) return [];
      const at = `${finding.file}${finding.line === undefined ? '' : `:${finding.line}`}`;
      const proof = verification ? ` [${verification.result}: ${verification.note}]` : '';
      const doubt = finding.unverified === null ? '' : ` [unverified: ${finding.unverified}]`;
      return hang(
        `  ${bucket} ${finding.severity}  `,
        visible(`${at} ${finding.issue}${proof}${doubt}${reason === '' ? '' : ` (${reason})`}`),
        { width, tintLabel: bucket === 'accepted' ? tintOf(paint, finding.severity) : paint.dim },
      );
    }),
  );
}

/** Tokens by role, model and reviewer. */
function costLines({ cost }: ReviewReport, say: (label: string, text: string) => string[]): string[] {
  const rows = Map.groupBy(cost, ({ role, model, agent, reviewer }) =>
    `${role} ${reviewer ?? agent} ${model ?? ''}`.trim(),
  );
  return [...rows].flatMap(([name, some]) => {
    const sum = (key: 'in' | 'out' | 'usd' | 'ms') => some.reduce((total, each) => total + each[key], 0);
    return say(
      'cost',
      `${name}: ${sum('in')} tokens in, ${sum('out')} out, $${sum('usd').toFixed(2)}, ${Math.round(sum('ms') / 1000)} s`,
    );
  });
}
