import { visible } from '#lib/visible.ts';
import { hang } from '#report/text/flow.ts';
import { type Case, renderSuites } from '#report/text/junit-xml.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { Paint } from '#report/text/paint.ts';
import type {
  ClaimVerdict,
  EvidenceCheckReport,
  GateResult,
  GatesReport,
  TestOrigin,
} from '#schema/gates.ts';
import { breaks } from '#schema/verdict.ts';

/** Lines for people, without the verdict. The agent's prompt promises this header. */
export function renderGates(report: GatesReport, page: Page): string {
  const { gates, task, mode, base, file, containment } = report;
  const about = [
    ...(task === null ? [] : [`task ${task}`]),
    mode,
    `from ${file ?? ([...new Set(gates.map(({ gate }) => gate.origin))].join(', ') || 'nothing')} in ${base.slice(0, 12)}`,
  ];
  const idWidth = Math.max(0, ...gates.map(({ gate }) => gate.id.length));
  return [
    page.paint.bold(`Quality Gates: ${about.join(', ')}`),
    ...groundLines(report, page),
    ...syntaxLines(report, page),
    ...gates.flatMap((result) => renderResult(result, idWidth, page)),
    ...(gates.length === 0 || containment === undefined ? [] : hang('  ', `ran ${containment}`, page)),
    ...sourceLines(report, page),
  ].join('\n');
}

function groundLines({ ground }: GatesReport, page: Page): string[] {
  if (!ground) return [];
  const findings = ground.findings.flatMap(({ check, message, hint }) => [
    ...hang(`      ${check}: `, message, page),
    ...(hint === '' ? [] : hang('        ', hint, page)),
  ]);
  return [`  ${markOf(ground.status, page)}  ground`, ...findings];
}

/** Empty if there was nothing to parse. */
function syntaxLines({ syntax }: GatesReport, page: Page): string[] {
  if (syntax.files === 0) return [];
  const count = `${syntax.files} changed ${syntax.files === 1 ? 'file' : 'files'}`;
  const errors = syntax.errors.flatMap(({ file, line, message }) =>
    hang('      ', `${file}:${line}: ${message}`, page),
  );
  return [`  ${markOf(syntax.status, page)}  syntax  ${page.paint.dim(count)}`, ...errors];
}

/** What else says how the project is tested; nothing where it writes down its gates. */
function sourceLines({ sources, gates }: GatesReport, page: Page): string[] {
  const hasFound = gates.some(({ gate }) => gate.isFound);
  return sources
    .filter(({ use }) => use === 'offered' || (hasFound && use !== 'chosen'))
    .map(({ origin, command, use }) =>
      page.paint.dim(`  ${unusedAs[use]}: ${visible(command)} (${visible(origin)})`),
    );
}

const unusedAs: Readonly<Record<TestOrigin['use'], string>> = {
  chosen: 'run',
  other: 'not run',
  offered: 'not a gate',
  proposal: 'only quoted',
};

function renderResult(result: GateResult, idWidth: number, page: Page): string[] {
  const { gate, status, reason, wallMs, newFailures, flaky, log } = result;
  const time = status === 'skipped' ? '' : `${(wallMs / 1000).toFixed(1)} s`;
  const line = [
    `  ${markOf(status, page)}`,
    gate.id.padEnd(idWidth),
    visible(gate.command),
    page.paint.dim(time),
  ];
  const names = (title: string, tests: readonly string[]) =>
    tests.flatMap((test) => hang(`      ${title}: `, test, page));
  return [
    line.filter((part) => part !== '').join('  '),
    ...(reason === '' ? [] : hang('      ', reason, page)),
    ...names('new failure', newFailures),
    ...names('flaky', flaky),
    ...(status === 'pass' || !log
      ? []
      : [
          ...log.excerpt.map((text) => `      ${marksOf(page).bar} ${visible(text)}`),
          page.paint.dim(`      log: ${log.file}`),
        ]),
  ];
}

function markOf(status: GateResult['status'] | ClaimVerdict['status'], page: Page): string {
  const { pass, fail, unknown, dot } = marksOf(page);
  switch (status) {
    case 'pass':
      return page.paint.green(pass);
    case 'fail':
      return page.paint.red(fail);
    case 'warn':
      return page.paint.yellow('!');
    case 'inconclusive':
      return page.paint.yellow(unknown);
    case 'skipped':
      return page.paint.dim(dot);
  }
}

/** The verdict in one line. */
export function gatesVerdict({ status, gates, mode, ground }: GatesReport, paint: Paint): string {
  const count = (wanted: GateResult['status']) => gates.filter((gate) => gate.status === wanted).length;
  const of = `of ${gates.length} ${gates.length === 1 ? 'gate' : 'gates'}`;
  if (ground?.status === 'fail')
    return paint.red('The gates were not run: the work failed its checks (joinery ground).');
  if (gates.length === 0 && status === 'pass') return `No ${mode} gates for these files.`;
  if (status === 'fail' && count('fail') === 0) return paint.red('Changed files do not parse.');
  if (status === 'fail') return paint.red(`${count('fail')} ${of} failed.`);
  if (count('skipped') > 0) return paint.yellow(`Called off: ${count('skipped')} ${of} not run to the end.`);
  if (status === 'inconclusive') return paint.yellow(`${count('inconclusive')} ${of} inconclusive.`);
  const warned = count('warn');
  return paint.green(`All gates passed${warned > 0 ? `, ${warned} with remarks` : ''}.`);
}

const outcomes = {
  pass: 'passed',
  warn: 'passed',
  fail: 'failure',
  inconclusive: 'error',
  skipped: 'skipped',
} as const;

export function renderGatesJunit(report: GatesReport): string {
  const grounded = (report.ground?.findings ?? []).map(
    ({ check, severity, message, hint }): Case => ({
      name: `ground ${check}`,
      outcome: breaks({ severity }) ? 'failure' : 'passed',
      summary: message,
      text: visible(hint),
    }),
  );
  const syntax = report.syntax.errors.map(
    ({ file, line, message }): Case => ({
      name: 'syntax',
      file,
      line,
      outcome: 'failure',
      summary: message,
      text: '',
    }),
  );
  const cases = report.gates.map(
    ({ gate, status, reason, newFailures, flaky, log }): Case => ({
      name: gate.id,
      outcome: outcomes[status],
      summary: reason,
      text: [
        gate.command,
        reason,
        ...newFailures.map((test) => `new failure: ${test}`),
        ...flaky.map((test) => `flaky: ${test}`),
        ...(log?.excerpt ?? []),
      ]
        .filter((line) => line !== '')
        .map(visible)
        .join('\n'),
    }),
  );
  return renderSuites(`joinery gates ${report.base.slice(0, 12)}`, [
    { name: report.task ?? 'gates', cases: [...grounded, ...syntax, ...cases] },
  ]);
}

export function renderClaims(report: EvidenceCheckReport, page: Page): string {
  return [
    ...report.claims.flatMap(({ claim, text, status, reason, detail, hint, command }) => [
      `${markOf(status, page)} ${claim}: ${reason === null ? '' : `${reason}: `}${visible(detail)}`,
      ...(text === null ? [] : [page.paint.dim(`    "${visible(text)}"`)]),
      ...(command === null ? [] : [page.paint.dim(`    ${visible(command)}`)]),
      ...(hint === '' ? [] : [`    Next: ${hint}`]),
    ]),
    page.paint.dim(`Tree ${report.tree.slice(0, 12)}`),
  ].join('\n');
}
