import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { SeamRisk } from '#schema/check-report.ts';

const mostRows = 10;
const mostNames = 5;

/** A line for people: a first column, and a text that may take several lines. */
interface Row {
  readonly label?: string;
  readonly text: string;
  readonly tint?: (text: string) => string;
}

/** Where branches depend on each other, for people. */
export function renderRisk(risk: SeamRisk, page: Page): string[] {
  const { paint, width } = page;
  const { overlaps, boundaries, highImpact, order, notes } = risk;
  const { arrow, ellipsis } = marksOf(page);
  const some = (names: readonly string[]) =>
    [...names.slice(0, mostNames), ...(names.length > mostNames ? [ellipsis] : [])].join(', ');
  const tints = { high: paint.red, medium: paint.yellow, low: paint.dim };
  const rows = <T>(title: string, items: readonly T[], row: (item: T) => Row) =>
    items.length === 0
      ? []
      : [
          paint.bold(title),
          ...items.slice(0, mostRows).flatMap((item) => {
            const { label = '', text, tint } = row(item);
            return hang(`  ${label}`, text, tint ? { width, tintLabel: tint } : { width });
          }),
          ...(items.length > mostRows ? [`  ${items.length - mostRows} more: --json`] : []),
        ];
  const lines = [
    ...rows('Branches in one part of the code', overlaps, (each) => ({
      label: each.risk.padEnd(7),
      tint: tints[each.risk],
      text: `${each.branches.join(', ')} in ${each.cluster}${each.sharedSymbols.length === 0 ? '' : `: ${some(each.sharedSymbols)}`}`,
    })),
    ...rows('Who uses what another changes', boundaries, ({ defines, consumes, symbols }) => ({
      text: `${defines} ${arrow} ${consumes}: ${some(symbols)}`,
    })),
    ...rows('Changes with many dependents', highImpact, ({ symbol, changedBy, isBridge, blastRadius }) => ({
      text: `${symbol} (${changedBy.join(', ')}): ${blastRadius} dependents${isBridge ? ', a bridge' : ''}`,
    })),
    ...(order.length > 1
      ? hang('Least rework in this order: ', order.join(', '), { width, tintLabel: paint.bold })
      : []),
    ...notes.flatMap((note) => hang('', note, { width, tint: paint.dim })),
  ];
  return lines.length > 0 ? lines : ['The branches do not lean on each other.'];
}
