import { visibleLine } from '#lib/visible.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { SeamRisk } from '#schema/check-report.ts';

const mostRows = 10;
const mostNames = 5;

/** Where branches lean on each other, for people. */
export function renderRisk(risk: SeamRisk, page: Page): string[] {
  const { paint } = page;
  const { overlaps, boundaries, highImpact, order, notes } = risk;
  const { arrow, ellipsis } = marksOf(page);
  const some = (names: readonly string[]) =>
    visibleLine([...names.slice(0, mostNames), ...(names.length > mostNames ? [ellipsis] : [])].join(', '));
  const tints = { high: paint.red, medium: paint.yellow, low: paint.dim };
  const rows = <T>(title: string, items: readonly T[], row: (item: T) => string) =>
    items.length === 0
      ? []
      : [
          paint.bold(title),
          ...items.slice(0, mostRows).map((item) => `  ${row(item)}`),
          ...(items.length > mostRows ? [`  ${items.length - mostRows} more: --json`] : []),
        ];
  const lines = [
    ...rows('Branches in one part of the code', overlaps, (each) => {
      const shared = each.sharedSymbols.length === 0 ? '' : `: ${some(each.sharedSymbols)}`;
      return `${tints[each.risk](each.risk.padEnd(6))} ${visibleLine(each.branches.join(', '))} in ${visibleLine(each.cluster)}${shared}`;
    }),
    ...rows('Who uses what another changes', boundaries, ({ defines, consumes, symbols }) =>
      visibleLine(`${defines} ${arrow} ${consumes}: ${some(symbols)}`),
    ),
    ...rows('Changes with many dependents', highImpact, ({ symbol, changedBy, isBridge, blastRadius }) =>
      visibleLine(
        `${symbol} (${changedBy.join(', ')}): ${blastRadius} dependents${isBridge ? ', a bridge' : ''}`,
      ),
    ),
    ...(order.length > 1
      ? [`${paint.bold('Least rework in this order:')} ${visibleLine(order.join(', '))}`]
      : []),
    ...notes.map((note) => paint.dim(visibleLine(note))),
  ];
  return lines.length > 0 ? lines : ['The branches do not lean on each other.'];
}
