import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { allResolved, areAllResolved, changesOf, countBlocking, summarizeChanges } from './changes.ts';
import { shortIds } from './groups.ts';

/** What changed since an earlier report: fixed, new, regressed, then the totals. */
export function renderDelta(report: CheckReport, page: Page): string[] {
  const changes = changesOf(report);
  if (!changes) return [];
  const { paint, width } = page;
  const { pass, arrow, unknown } = marksOf(page);
  const { before, now } = countBlocking(changes);
  const short = shortIds(Object.values(changes).flat());
  const kinds = [
    { findings: changes.fixed, label: `${pass} Fixed: `, tint: paint.green },
    { findings: changes.new, label: '+ New: ', tint: paint.yellow },
    { findings: changes.regressed, label: '! Regressed: ', tint: paint.red },
    { findings: changes.unverified, label: `${unknown} Not checked: `, tint: paint.dim },
  ];
  return [
    paint.bold('Since the previous check'),
    ...hang('', `Blocking findings: ${before} ${arrow} ${now}`, { width, indent: 2 }),
    ...kinds.flatMap(({ findings, label, tint }) =>
      findings.flatMap(({ id, rule, message }) =>
        hang(label, `${rule} ${message} (${short(id)})`, { width, indent: 2, tintLabel: tint }),
      ),
    ),
    ...hang('', summarizeChanges(changes), { width, indent: 2 }),
    ...(areAllResolved(changes) ? hang('', allResolved, { width, indent: 2, tint: paint.green }) : []),
  ];
}
