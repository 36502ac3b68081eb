import { visible } from '#lib/visible.ts';
import { counted } from '#report/check/wording.ts';
import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import { tintOf } from '#report/text/paint.ts';
import type {
  GapsReport,
  GuidesReport,
  IntegrityReport,
  ProofFinding,
  RiskReport,
  SecretsReport,
} from '#schema/proof.ts';
import type { TriageReport } from '#schema/triage.ts';
import { breaks } from '#schema/verdict.ts';

/** Number of files shown in the terminal; --json has them all. */
const mostFiles = 20;

export function renderRiskTerminal(report: RiskReport, page: Page): string {
  const { paint, width } = page;
  const { files, leftOut } = report;
  const shown = files.slice(0, mostFiles);
  const tints = { high: paint.red, medium: paint.yellow, low: paint.dim };
  const reasons = [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, some]) => `${some.length} ${why}`);
  return lines([
    paint.bold(
      visible(
        files.length === 0
          ? `Nothing to read: ${report.branch.ref} changes no file that can be ranked.`
          : `Read ${counted(files.length, 'file')} of ${report.branch.ref} in this order:`,
      ),
    ),
    ...shown.flatMap(({ path, score, level, signals }) => [
      ...hang(`${score.toFixed(1).padStart(5)} ${level.padEnd(6)}  `, visible(path), {
        width,
        tintLabel: tints[level],
      }),
      ...hang(' '.repeat(14), visible(signals.map(({ name, detail }) => `${name}: ${detail}`).join('; ')), {
        width,
        tint: paint.dim,
      }),
    ]),
    ...(files.length > shown.length
      ? [`      and ${files.length - shown.length} more; --json has them all`]
      : []),
    ...(leftOut.length > 0 ? hang('  left out  ', reasons.join(', '), { width, tint: paint.dim }) : []),
    ...unknown(report.inconclusive, page),
  ]);
}

export function renderGapsTerminal(report: GapsReport, page: Page): string {
  const { findings, symbols, threshold, notFollowed } = report;
  const limit = threshold === null ? '' : `, at most ${threshold} allowed`;
  const what =
    findings.length === 0
      ? `tests reach all of ${counted(symbols, 'new public symbol')}`
      : `no test reaches ${findings.length} of ${counted(symbols, 'new public symbol')}${limit}`;
  return lines([
    ...headline(
      report.status === 'pass' && findings.length > 0 ? 'warn' : report.status,
      `${report.branch.ref}: ${what}`,
      page,
    ),
    ...findingLines(findings, page),
    ...notFollowed.map(({ ending, files }) => `  not followed  ${counted(files, 'file')} ${ending}`),
    ...unknown(report.inconclusive, page),
  ]);
}

export function renderIntegrityTerminal(report: IntegrityReport, page: Page): string {
  const { findings, trailers } = report;
  const { width, paint } = page;
  const blocking = findings.filter(breaks).length;
  const what = blocking > 0 ? `weakens ${counted(blocking, 'test')}` : 'weakens no test without a reason';
  return lines([
    ...headline(report.status, `${report.branch.ref} ${what}`, page),
    ...findingLines(findings, page),
    ...trailers.flatMap(({ id, reason, commit, isUsed }) =>
      hang(
        '  Test-Change  ',
        visible(`${id}: ${reason} (${commit.slice(0, 8)}${isUsed ? '' : ', unused'})`),
        {
          width,
          tintLabel: paint.yellow,
        },
      ),
    ),
    ...unknown(report.inconclusive, page),
  ]);
}

export function renderSecretsTerminal(report: SecretsReport, page: Page): string {
  const { findings, allowed, files, branch, base } = report;
  const what =
    findings.length === 0 ? 'adds no secret' : `adds ${counted(findings.length, 'possible secret')}`;
  return lines([
    ...headline(report.status, `${branch} ${what}: ${counted(files, 'file')} since ${base}`, page),
    ...findingLines(findings, page),
    ...allowed.map(({ fingerprint, file, line }) => visible(`  allowed  ${file}:${line} (${fingerprint})`)),
    ...unknown(report.inconclusive, page),
  ]);
}

export function renderGuidesTerminal({ files }: GuidesReport): string {
  return lines(
    files.flatMap(({ path, guides, dropped }) => [
      visible(path),
      ...(guides.length === 0 ? ['  no guide'] : guides.map((guide) => visible(`  ${guide}`))),
      ...dropped.map((guide) => visible(`  ${guide} (left out: more than five)`)),
    ]),
  );
}

export function renderTriageTerminal(report: TriageReport, page: Page): string {
  const { status, corrected, errors, guards, triage } = report;
  const { width, paint } = page;
  const shown = { valid: 'pass', invalid: 'fail', 'needs-person': 'inconclusive' } as const;
  const counts = triage
    ? `${triage.accepted.length} accepted, ${triage.deferred.length} deferred, ${triage.rejected.length} rejected, ${triage.approved ? 'approved' : 'not approved'}`
    : 'it cannot be read';
  return lines([
    ...headline(
      shown[status],
      `${status.replace('-', ' a ')}: ${counts}${corrected ? ', corrected' : ''}`,
      page,
    ),
    ...errors.flatMap((error) => hang('  error  ', visible(error), { width, tintLabel: paint.red })),
    ...guards.flatMap((guard) => hang('  guard  ', visible(guard), { width, tintLabel: paint.yellow })),
  ]);
}

function lines(parts: readonly string[]): string {
  return `${parts.join('\n')}\n`;
}

function headline(status: 'pass' | 'warn' | 'fail' | 'inconclusive', text: string, page: Page): string[] {
  const { paint, width } = page;
  const marks = marksOf(page);
  const mark = { pass: marks.pass, warn: marks.warn, fail: marks.fail, inconclusive: marks.unknown }[status];
  const tint = { pass: paint.green, warn: paint.yellow, fail: paint.red, inconclusive: paint.yellow }[status];
  return hang(`${mark} `, visible(text), { width, tintLabel: tint, tint: paint.bold });
}

function findingLines(findings: readonly ProofFinding[], page: Page): string[] {
  const { paint, width } = page;
  const { arrow } = marksOf(page);
  const hints = [...new Set(findings.map(({ hint }) => hint))].slice(0, 3);
  return [
    ...findings.flatMap(({ severity, message }) =>
      hang(`  ${severity}  `, visible(message), { width, tintLabel: tintOf(paint, severity) }),
    ),
    ...hints.flatMap((hint) => hang(`  ${arrow} `, visible(hint), { width, tint: paint.dim })),
  ];
}

function unknown(
  inconclusive: readonly { readonly file?: string | undefined; readonly reason: string }[],
  { paint, width }: Page,
): string[] {
  return inconclusive.flatMap(({ file, reason }) =>
    hang('  inconclusive  ', visible([file, reason].filter(Boolean).join(': ')), {
      width,
      tintLabel: paint.yellow,
    }),
  );
}
