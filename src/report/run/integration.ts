import { visibleLine } from '#lib/visible.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { IntegrationReport, ReceiptReport, UndoReport } from '#schema/integration.ts';

const headlines: Readonly<Record<IntegrationReport['status'], string>> = {
  landed: 'Landed',
  ready: 'Ready, not landed',
  blocked: 'Not landed: the work does not fit',
  conflict: 'Not landed: text conflicts',
  lost: 'Not landed: work would be lost',
  undecided: 'Not landed: undecided',
  nothing: 'Nothing to land',
};

export function renderIntegration(report: IntegrationReport, page: Page): string {
  const { paint } = page;
  const marks = marksOf(page);
  const signs = {
    pass: paint.green(marks.pass),
    fail: paint.red(marks.fail),
    warn: paint.yellow(marks.unknown),
    undecided: paint.yellow(marks.unknown),
    skipped: paint.dim(marks.skipped),
  };
  const { target, merged, left, steps, lost, receipt, next, id, integration, unproven } = report;
  const names = merged.map(({ ref }) => ref).join(', ');
  return [
    paint.bold(
      `${headlines[report.status]}${names === '' ? ', nothing merged' : `: ${names}`} ${marks.arrow} ${target.ref}`,
    ),
    ...steps.map(
      ({ name, status, detail }) => `  ${signs[status]} ${name.padEnd(13)} ${visibleLine(detail)}`,
    ),
    ...lost.map(
      ({ branch, path, line, detail }) =>
        `    ${visibleLine(`${branch}: ${path}${line === null ? '' : `:${line}`}: ${detail}`)}`,
    ),
    ...(lost.length === 0
      ? []
      : ['  restore it, or accept the loss with a reason: --decisions <file> (docs/integrating.md)']),
    ...report.findings
      .filter(({ effect }) => effect === 'stops' || effect === 'asks')
      .map(
        ({ rule, id: finding, places, message, judge, note }) =>
          `    ${visibleLine(`${rule} ${finding.slice(0, 8)} ${places[0] ?? ''}: ${message}${judge === null ? '' : `, judged by ${judge}`}${note === undefined ? '' : `, ${note}`}`)}`,
      ),
    ...(unproven === undefined || unproven.by === null
      ? []
      : [`  ${signs.undecided} unproven      ${visibleLine(unproven.by)} decided that it may land so`]),
    ...left.map(({ ref, reason }) => `  left behind: ${visibleLine(`${ref}: ${reason}`)}`),
    ...(target.after === null
      ? []
      : [`  ${target.ref} is now ${target.after.slice(0, 12)}; undo with: joinery undo ${id}`]),
    ...(receipt === null ? [] : [`  receipt ${receipt.slice(0, 16)}: joinery receipt verify ${id}`]),
    ...(integration === null || !steps.some(({ name, status }) => name === 'land' && status === 'skipped')
      ? []
      : [`  the result is on ${integration.branch}; joinery prune removes it`]),
    ...(next === null ? [] : [`Next: ${next}`]),
  ].join('\n');
}

export function renderReceipt(report: ReceiptReport, page: Page): string {
  const { paint } = page;
  const marks = marksOf(page);
  const { receipt, landing, isDone, digest, checks } = report;
  return [
    paint.bold(`Receipt ${receipt.id}: ${isDone ? 'landed on' : 'not on'} ${receipt.target.ref}`),
    `  landing  ${landing.slice(0, 12)}, tree ${receipt.integration.tree.slice(0, 12)}`,
    `  sha256   ${digest}`,
    ...receipt.branches.map(
      ({ ref, commit, files, entities }) =>
        `  branch   ${visibleLine(ref)} at ${commit.slice(0, 12)}: ${counted(files, 'file')}, ${counted(entities.length, 'entity', 'entities')}`,
    ),
    ...receipt.decisions.map(
      ({ branch, path, entity, reason }) =>
        `  decided  ${visibleLine(`${branch}: ${path}${entity === null ? '' : `#${entity}`} may go: ${reason}`)}`,
    ),
    ...(receipt.unproven === undefined
      ? []
      : [
          `  unproven ${visibleLine(`${receipt.unproven.reason}; ${receipt.unproven.by ?? 'nobody'} decided that it may land so`)}`,
        ]),
    ...receipt.steps.map(
      ({ name, status, detail }) => `  ${name.padEnd(13)}${status}: ${visibleLine(detail)}`,
    ),
    ...checks.map(
      ({ name, isTrue, detail }) =>
        `  ${isTrue ? paint.green(marks.pass) : paint.red(marks.fail)} ${visibleLine(`${name}: ${detail}`)}`,
    ),
  ].join('\n');
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function renderUndo({ status, target, reason, next, id }: UndoReport): string {
  return status === 'undone'
    ? `${target.ref} is ${target.after.slice(0, 12)} again. The branches of ${id} stay.`
    : `Not undone: ${reason}\nNext: ${next}`;
}
