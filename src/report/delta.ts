import type { Finding } from '../model/check-report.ts';
import type { Delta } from '../model/delta.ts';
import { hang } from './flow.ts';
import { groupByCause, shortIds } from './groups.ts';
import { marksOf, type Page } from './page.ts';

/** What changed since the last report: what is gone, what came, what came back, then the sum. */
export function renderDelta(delta: Delta, page: Page): string {
  const { paint, width } = page;
  const { pass, arrow, unknown } = marksOf(page);
  const earlier = [...delta.fixed, ...delta.remaining, ...delta.unverified];
  const later = [...delta.remaining, ...delta.new, ...delta.regressed];
  const short = shortIds([...earlier, ...delta.new, ...delta.regressed]);
  const kinds = [
    { findings: delta.fixed, label: `${pass} Fixed: `, tint: paint.green },
    { findings: delta.new, label: '+ New: ', tint: paint.yellow },
    { findings: delta.regressed, label: '! Regressed: ', tint: paint.red },
    { findings: delta.unverified, label: `${unknown} Not checked this time: `, tint: paint.dim },
  ];
  const lines = [
    paint.bold('Since the previous check'),
    `  Blocking findings: ${blocking(earlier)} ${arrow} ${blocking(later)}`,
    ...kinds.flatMap(({ findings, label, tint }) =>
      groupByCause(findings)
        .flat()
        .flatMap(({ id, rule, message }) =>
          hang(label, `${rule} ${message} (${short(id)})`, { width, indent: 2, tintLabel: tint }),
        ),
    ),
    ...hang('', summary(delta), { width, indent: 2 }),
    ...(isResolved(delta) ? [`  ${paint.green('All previous issues resolved!')}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function blocking(findings: readonly Finding[]): number {
  return findings.filter(({ severity }) => severity === 'blocking').length;
}

function summary({ fixed, remaining, new: arrived, regressed, unverified }: Delta): string {
  const counts = [`${fixed.length} issue(s) fixed`, `${remaining.length} remaining`, `${arrived.length} new`];
  if (regressed.length > 0) counts.push(`${regressed.length} regressed`);
  if (unverified.length > 0) counts.push(`${unverified.length} not checked`);
  return counts.join(', ');
}

function isResolved({ fixed, remaining, unverified }: Delta): boolean {
  return fixed.length > 0 && remaining.length === 0 && unverified.length === 0;
}
