import { visibleLine } from '#lib/visible.ts';
import { hang } from '#report/text/flow.ts';
import type { Page } from '#report/text/page.ts';
import type { BacktestFinding, BacktestMerge, BacktestReport } from '#schema/backtest.ts';
import { breaks } from '#schema/verdict.ts';
import { counted } from './wording.ts';

interface Options extends Page {
  /** Include merges with text conflicts and merges that could not be replayed. */
  readonly verbose: boolean;
}

/** What check would have reported about past merges: the merges with findings, then the totals. */
export function renderBacktest(report: BacktestReport, page: Options): string {
  const shown = report.merges.filter(
    ({ outcome }) =>
      outcome === 'findings' ||
      (page.verbose && (outcome === 'conflict' || outcome === 'inconclusive' || outcome === 'failed')),
  );
  return [
    ...renderHead(report, page),
    ...shown.flatMap((merge) => ['', ...renderMerge(merge, page)]),
    ...(report.merges.length === 0 ? [] : ['', ...renderTotals(report, page)]),
    ...renderNext(shown, page),
    '',
  ].join('\n');
}

function renderHead({ base, merges, totals }: BacktestReport, { paint, width }: Page): string[] {
  const dates = merges.map(({ date }) => date).sort();
  if (merges.length === 0)
    return hang('', `${base.ref} has no merge commits: squashed and rebased work leaves none.`, { width });
  const head = `${counted(merges.length, 'merge')} into ${base.ref}, ${dates[0]} to ${dates.at(-1)}: check would have warned of ${totals.findings}`;
  return hang('', head, { width, tint: paint.bold });
}

function renderMerge(merge: BacktestMerge, page: Options): string[] {
  const { paint, width } = page;
  const head = `${merge.commit.slice(0, 12)} ${merge.date} ${visibleLine(merge.subject)}`;
  const about = merge.outcome === 'conflict' ? 'text conflict' : merge.reason;
  return [
    ...hang('', head, { width, tint: paint.bold }),
    ...merge.findings.flatMap((finding) => renderFinding(finding, page)),
    ...(merge.findings.length === 0 ? hang('  ', about, { width, tint: paint.dim }) : []),
  ];
}

function renderFinding(finding: BacktestFinding, { paint, width }: Page): string[] {
  const { rule, severity, message, sites } = finding;
  const tint = breaks({ severity }) ? paint.red : paint.yellow;
  const use = sites.find(({ role }) => role === 'consumer') ?? sites[0];
  const at = use ? `${use.file}:${use.line}: ` : '';
  return [
    ...hang(`  ${rule}  `, `${at}${message}`, { width, tintLabel: tint }),
    ...(finding.repairedBy === null
      ? []
      : hang('       ', describeRepair(finding), { width, tint: paint.dim })),
  ];
}

function describeRepair({ repairedBy, after }: BacktestFinding): string {
  if (after === 0) return 'the merge itself changed this line by hand';
  return `${repairedBy?.slice(0, 12)} changed this line ${counted(after ?? 0, 'commit')} later`;
}

function renderTotals({ totals, within }: BacktestReport, { paint, width }: Page): string[] {
  const { merges, alone, fits, findings, blocked, repaired, conflict, inconclusive, seconds } = totals;
  const parts = [
    `${alone} had nothing to clash with`,
    `${fits} fit`,
    `${conflict} had text conflicts only`,
    findings === 0
      ? 'none had findings'
      : `${findings} had findings (${blocked} would have been blocked, ${repaired} ${repaired === 1 ? 'was' : 'were'} repaired in the merge or within ${within} commits)`,
    ...(inconclusive > 0 ? [`${inconclusive} could not be replayed`] : []),
  ];
  const each = seconds / merges;
  return hang('', `${parts.join(', ')}. ${seconds.toFixed(1)} s in all, ${each.toFixed(2)} s each.`, {
    width,
    tint: paint.dim,
  });
}

/** The command that shows one of the merges as check saw it. */
function renderNext([first]: readonly BacktestMerge[], { width }: Page): string[] {
  if (!first || first.outcome === 'failed') return [];
  const id = first.commit.slice(0, 12);
  return ['', ...hang('', `To see one in full: joinery check ${id}^1 ${id}^2`, { width })];
}
