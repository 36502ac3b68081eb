import { visibleLine } from '#lib/visible.ts';
import type { Page } from '#report/text/page.ts';
import type { Finding } from '#schema/check-report.ts';
import type { WatchLine } from '#schema/watch-line.ts';
import { groupByCause, shortIds } from './groups.ts';
import { counted, labelOf } from './wording.ts';

/** One line for each new and each fixed finding; then the resulting verdict. */
export function renderWatch(line: WatchLine, { paint }: Pick<Page, 'paint'>): string {
  const short = shortIds([...line.new, ...line.gone]);
  const rows = (findings: readonly Finding[], sign: string) =>
    groupByCause(findings)
      .flat()

      .map((finding) =>
        visibleLine(
          `${sign} ${short(finding.id)} ${labelOf(finding)} ${finding.rule} ${finding.message} (${finding.branches.join(', ')})`,
        ),
      );
  const isOne = line.branches === 1;
  const branches = isOne ? '1 branch' : `${line.branches} branches`;
  const verdicts = {
    pass: isOne ? 'fits' : 'fit',
    fail: isOne ? 'does not fit' : 'do not fit',
    undecided: isOne ? 'is undecided' : 'are undecided',
  } as const;
  const reasons = line.reasons.length === 0 ? '' : `: ${line.reasons.join('; ')}`;
  return [
    ...rows(line.new, '+').map(paint.yellow),
    ...rows(line.gone, '-').map(paint.green),
    paint.dim(
      visibleLine(`= ${branches} ${verdicts[line.status]}${reasons}; ${counted(line.open, 'finding')}`),
    ),
  ].join('\n');
}
