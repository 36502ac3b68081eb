import { visible } from '#lib/visible.ts';
import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { ChallengeReport } from '#schema/challenge.ts';
import { breaks } from '#schema/verdict.ts';

/** For people: the verdict, every objection with its quote, and what the document does well. */
export function renderChallenge(report: ChallengeReport, page: Page): string {
  const { paint, width } = page;
  const marks = marksOf(page);
  const verdicts = {
    approve: { mark: marks.pass, tint: paint.green },
    revise: { mark: marks.fail, tint: paint.red },
    reject: { mark: marks.fail, tint: paint.red },
    uncertain: { mark: marks.unknown, tint: paint.yellow },
  };
  const { mark, tint } = verdicts[report.verdict];
  const say = (label: string, text: string, colour = paint.dim) =>
    hang(`  ${label}  `, visible(text), { width, tintLabel: colour });
  return `${[
    ...hang(`${mark} `, visible(`${report.document}: ${report.verdict}. ${report.reason}`), {
      width,
      tintLabel: tint,
      tint: paint.bold,
    }),
    ...report.findings.flatMap(({ vector, severity, issue, quote, suggestion, unverified }) =>
      say(
        `${severity} ${vector}`,
        [
          issue,
          ...(quote === '' ? [] : [`"${quote}"`]),
          ...(suggestion === '' ? [] : [suggestion]),
          ...(unverified === null ? [] : [`[does not hold: ${unverified}]`]),
        ].join(' '),
        breaks({ severity }) ? paint.red : paint.dim,
      ),
    ),
    ...(report.right === '' ? [] : say('right', report.right, paint.green)),
    ...report.problems.flatMap((problem) => say('odd', problem, paint.yellow)),
  ].join('\n')}\n`;
}
