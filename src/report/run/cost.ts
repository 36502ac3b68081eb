import { visibleLine } from '#lib/visible.ts';
import { formatCount, formatElapsed } from '#report/text/figures.ts';
import type { Page } from '#report/text/page.ts';
import type { CostReport } from '#schema/cost-report.ts';
import { formatBudget } from '#schema/spending.ts';

type Line = CostReport['total'];

export function renderCost(
  { run, budget, total, tasks, asked, models, prices }: CostReport,
  { paint, width }: Pick<Page, 'paint' | 'width'>,
): string {
  const rows: [string, Line, string][] = tasks.flatMap((task): [string, Line, string][] => [
    [task.id, task, task.status],
    ...(task.attempts.length > 1
      ? task.attempts.map((attempt): [string, Line, string] => [
          `  #${attempt.n}`,
          attempt,
          visibleLine([attempt.outcome ?? 'open', attempt.driver, attempt.model ?? ''].join(' ').trimEnd()),
        ])
      : []),
  ]);
  const cells = [
    ['', 'in', 'cached', 'out', 'turns', 'time', 'usd', ''],
    ...rows.map(([name, cost, note]) => [name, ...figuresOf(cost), note]),
    ...asked.map(({ phase, role, reviewer, model, times, ms, usd, in: input, out }) => [
      `${phase}: ${reviewer ?? role}`,
      ...[formatCount(input), '', formatCount(out), String(times), formatElapsed(ms), usd.toFixed(4)],
      visibleLine([reviewer === null ? '' : role, model ?? ''].join(' ').trim()),
    ]),
    ['total', ...figuresOf(total), ''],
  ];
  const lines = tableOf(cells, width);
  return [
    paint.bold(`Run ${run}`),
    paint.dim(lines[0] ?? ''),
    ...lines.slice(1, -1),
    paint.bold(lines.at(-1) ?? ''),
    ...(models.length > 1
      ? [
          '',
          ...models.map(
            ({ model, tokens, usd }) =>
              `${visibleLine(model ?? 'unnamed')}: ${tokens} tokens, $${usd.toFixed(4)}`,
          ),
        ]
      : []),
    ...(budget.share === null
      ? []
      : ['', `${(budget.share * 100).toFixed(0)} % of the budget of ${formatBudget(budget)} is spent.`]),
    ...(total.unpriced > 0
      ? [
          '',
          `The price of ${total.unpriced} tokens is unknown (table of ${prices}): set "prices" in joinery.json.`,
        ]
      : []),
  ].join('\n');
}

/** Names, figures and a remark, one row per line; if that is too wide, remarks go below. */
function tableOf(cells: readonly (readonly string[])[], width: number): string[] {
  const widths =
    cells[0]?.map((_, column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const rows = cells.map((row) => {
    const aligned = row.slice(0, -1).map((cell, column) => {
      const room = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(room) : cell.padStart(room);
    });
    return { figures: aligned.join('  '), remark: row.at(-1) ?? '' };
  });
  const isWide = rows.some(({ figures, remark }) => figures.length + 2 + remark.length > width);
  return rows.map(({ figures, remark }) => {
    if (remark === '') return figures;
    return isWide ? `${figures}\n    ${remark}` : `${figures}  ${remark}`;
  });
}

function figuresOf({ in: input, cached, out, turns, ms, usd }: Line): string[] {
  return [
    formatCount(input),
    formatCount(cached),
    formatCount(out),
    String(turns),
    formatElapsed(ms),
    usd.toFixed(4),
  ];
}
