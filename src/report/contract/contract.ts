import { visibleLine } from '#lib/visible.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { ContractDiffReport, ContractReport, ItemStatus } from '#schema/contract-report.ts';

const headlines: Readonly<Record<ContractReport['status'], string>> = {
  pass: 'The contract is kept',
  fail: 'The contract is not kept',
  inconclusive: 'Whether the contract is kept could not be decided',
};

/** Lists the items that are not kept; the others as a number, or with `verbose` item by item as well. */
export function renderContract(report: ContractReport, page: Page & { readonly verbose: boolean }): string {
  const { paint, verbose } = page;
  const marks = marksOf(page);
  const signs: Readonly<Record<ItemStatus, string>> = {
    satisfied: paint.green(marks.pass),
    partial: paint.yellow(marks.warn),
    missing: paint.red(marks.fail),
    contradicted: paint.red(marks.fail),
    undecided: paint.yellow(marks.unknown),
  };
  const { items, counts, branches, base, inconclusive } = report;
  const names = branches.map(({ ref }) => ref).join(', ') || 'no branch';
  const totals = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
  const told = items.filter(({ status }) => verbose || status !== 'satisfied');
  return [
    paint.bold(`${headlines[report.status]}: ${totals}`),
    `  ${visibleLine(names)} on ${visibleLine(base.ref)}`,
    ...told.flatMap(({ kind, name, status, detail, evidence, task, brokenBy }) => [
      `${signs[status]} ${kind} ${visibleLine(name)}: ${status}${task === null ? '' : paint.dim(` (task ${task})`)}`,
      ...(status === 'satisfied' ? [] : [`    ${visibleLine(detail)}`]),
      ...(brokenBy.length === 0 ? [] : [`    ${visibleLine(`broken by ${brokenBy.join(', ')}`)}`]),
      ...evidence
        .slice(0, status === 'satisfied' ? 1 : 5)
        .map(({ file, line, branch, what }) =>
          paint.dim(`    ${visibleLine(`${file}${line === null ? '' : `:${line}`} (${branch}) ${what}`)}`),
        ),
    ]),
    ...(told.length < items.length
      ? [paint.dim(`  ${counts.satisfied} satisfied, not listed: --verbose lists them`)]
      : []),
    ...inconclusive.map(
      ({ file, reason }) =>
        `${paint.yellow(marks.unknown)} ${visibleLine(`${file === undefined ? '' : `${file}: `}${reason}`)}`,
    ),
  ].join('\n');
}

export function renderContractDiff(report: ContractDiffReport, page: Page): string {
  const { from, to, added, removed, changed, relationships } = report;
  const { paint } = page;
  if (report.status === 'same') return `${from.ref} and ${to.ref} offer the same.`;
  const at = (file: string | null) => (file === null ? '' : paint.dim(` ${visibleLine(file)}`));
  return [
    ...(report.status === 'inconclusive'
      ? [`Inconclusive: ${report.unread.map(({ file }) => visibleLine(file)).join(', ')} cannot be read.`]
      : []),
    paint.bold(`${visibleLine(from.ref)} ${marksOf(page).arrow} ${visibleLine(to.ref)}`),
    ...removed.map(({ name, file }) => `${paint.red('-')} ${visibleLine(name)}${at(file)}`),
    ...added.map(({ name, file }) => `${paint.green('+')} ${visibleLine(name)}${at(file)}`),
    ...changed.flatMap(({ name, file, changes }) => [
      `${paint.yellow('~')} ${visibleLine(name)}${at(file)}`,
      ...changes.map((change) => `    ${visibleLine(change)}`),
    ]),
    ...relationships.removed.map((way) => `${paint.red('-')} ${visibleLine(way)}`),
    ...relationships.added.map((way) => `${paint.green('+')} ${visibleLine(way)}`),
  ].join('\n');
}
