import { visible } from '#lib/visible.ts';
import { counted } from '#report/check/wording.ts';
import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import { tintOf } from '#report/text/paint.ts';
import type { GroundCheck, GroundReport } from '#schema/grounding.ts';

/** For people: the verdict, then the problems and what to do about them. Checks that passed share one line. */
export function renderGroundTerminal(report: GroundReport, page: Page): string {
  const { paint, width } = page;
  const marks = marksOf(page);
  const verdicts = {
    pass: { mark: marks.pass, tint: paint.green, text: 'holds up' },
    fail: { mark: marks.fail, tint: paint.red, text: 'does not hold up' },
    inconclusive: { mark: marks.unknown, tint: paint.yellow, text: 'cannot be judged' },
  };
  const { mark, tint, text } = verdicts[report.status];
  const headline = `${report.branch.ref} ${text}: ${counted(report.files, 'file')} since ${report.base.ref} (${report.base.mergeBase.slice(0, 8)})`;
  const passed = report.checks.filter(({ status }) => status === 'pass').map(({ name }) => name);
  return `${[
    ...hang(`${mark} `, visible(headline), { width, tintLabel: tint, tint: paint.bold }),
    ...report.checks.flatMap((check) => renderCheck(check, page)),
    ...report.inconclusive.flatMap(({ file, reason }) =>
      hang('  inconclusive  ', visible([file, reason].filter(Boolean).join(': ')), {
        width,
        tintLabel: paint.yellow,
      }),
    ),
    ...(passed.length > 0
      ? hang('  passed  ', passed.join(', '), { width, tint: paint.dim, tintLabel: paint.dim })
      : []),
  ].join('\n')}\n`;
}

function renderCheck({ name, findings }: GroundCheck, page: Page): string[] {
  const { paint, width } = page;
  const { arrow } = marksOf(page);
  const hints = [...new Set(findings.map(({ hint }) => hint))];
  if (findings.length === 0) return [];
  const widest = Math.max(0, ...findings.map(({ severity }) => severity.length));
  return [
    '',
    `  ${paint.bold(name)}`,
    ...findings.flatMap(({ severity, message }) =>
      hang(`    ${severity.padEnd(widest)}  `, visible(message), {
        width,
        tintLabel: tintOf(paint, severity),
      }),
    ),
    ...hints.flatMap((hint) => hang(`    ${arrow} `, visible(hint), { width, tint: paint.dim })),
  ];
}
