import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { NeedsHuman, VerifierFindings, VerifyReport } from '#schema/planning.ts';
import { oneLine, plural } from './words.ts';

/** The verifier's findings, for people: core question, requirements, drift, failures, recommendations, summary. */
export function renderVerify(report: VerifyReport, page: Page): string {
  const { paint } = page;
  return [
    ...(report.findings ? findingLines(report.findings, report.counts, page) : []),
    ...fixLines(report, page),
    ...humanLines(report, page),
    '',
    ...verdict(report, page).map((line) => paint.bold(line)),
    ...next(report),
  ]
    .join('\n')
    .replace(/^\n+/, '');
}

function findingLines(findings: VerifierFindings, counts: VerifyReport['counts'], page: Page): string[] {
  const { paint, width } = page;
  const marks = marksOf(page);
  const { coreQuestion, requirements, semanticDrift, criticalFailures, contractIssues, recommendations } =
    findings;
  const line = (mark: string, text: string, tint: (text: string) => string) =>
    hang(`${mark} `, oneLine(text), { width, indent: 2, tintLabel: tint });
  const detail = (text: string) => hang('', oneLine(text), { width, indent: 4, tint: paint.dim });
  const core = {
    true: [paint.green, marks.pass, 'answerable'],
    false: [paint.red, marks.fail, 'not answerable'],
    null: [paint.yellow, marks.unknown, 'not judged'],
  } as const;
  const [tint, mark, word] = core[`${coreQuestion.isAnswerable}`];
  return [
    ...hang('Core question: ', `${mark} ${word}`, { width, tintLabel: paint.bold, tint }),
    ...(coreQuestion.text === '' ? [] : detail(coreQuestion.text)),
    ...(coreQuestion.isAnswerable === false && coreQuestion.reasoning !== ''
      ? detail(coreQuestion.reasoning)
      : []),
    '',
    `${paint.bold('Spec requirements:')} ${counts.covered} of ${counts.requirements} covered`,
    ...requirements
      .filter(({ status }) => status !== 'covered')
      .flatMap(({ requirement, status, specSays, specLocation, planSays, notes, task }) => [
        ...(status === 'partial'
          ? line(marks.warn, `${requirement} (${status})`, paint.yellow)
          : line(marks.fail, `${requirement} (${status})`, paint.red)),
        ...detail(
          `Spec says: ${specSays || specLocation || '?'} | Plan says: ${planSays || notes || 'nothing'} | Task: ${task ?? 'none'}`,
        ),
      ]),
    ...block('Semantic drift:', semanticDrift, page, ({ specTerm, planTerm, risk }) =>
      line(marks.warn, `"${specTerm}" ${marks.arrow} "${planTerm}": ${risk}`, paint.yellow),
    ),
    ...block('Critical failures:', [...criticalFailures, ...contractIssues], page, (failure) => [
      ...line(
        marks.fail,
        'type' in failure ? `contract: ${failure.description}` : failure.description,
        paint.red,
      ),
      ...('type' in failure
        ? []
        : detail(`Spec: ${failure.specReference || '?'} | Gap: ${failure.planGap || '?'}`)),
    ]),
    ...block('Recommendations:', recommendations, page, (text) => line(marks.arrow, text, paint.cyan)),
    '',
    `${counts.critical} critical, ${counts.warnings} warnings, ${counts.recommendations} recommendations`,
  ];
}

function block<T>(
  title: string,
  items: readonly T[],
  { paint }: Page,
  render: (item: T) => readonly string[],
): string[] {
  return items.length === 0 ? [] : ['', paint.bold(title), ...items.flatMap(render)];
}

function fixLines({ rounds, fixes }: VerifyReport, page: Page): string[] {
  const { paint, width } = page;
  if (rounds.length < 2) return [];
  const marks = marksOf(page);
  const text = (value: unknown) => oneLine(typeof value === 'string' ? value : JSON.stringify(value ?? null));
  return [
    '',
    paint.bold(`${plural(fixes.length, 'fix', 'fixes')} applied:`),
    ...rounds.slice(1).flatMap((round) => [
      `  Round ${round.n}: failures ${rounds[round.n - 1]?.failures.length ?? 0} ${marks.arrow} ${round.failures.length} (${round.fixed.length} fixed, ${round.remaining.length} remaining, ${round.new.length} new)`,
      ...round.fixes.flatMap(({ task, field, before, after, reason }) =>
        hang(
          `${marks.pass} `,
          `${task === null ? 'plan' : `task ${task}`}, ${field}: ${text(before)} ${marks.arrow} ${text(after)}${reason === '' ? '' : ` (${reason})`}`,
          { width, indent: 4, tintLabel: paint.green },
        ),
      ),
      ...round.refused.flatMap((reason) =>
        hang(`${marks.warn} `, `not applied: ${oneLine(reason)}`, {
          width,
          indent: 4,
          tintLabel: paint.yellow,
        }),
      ),
    ]),
  ];
}

function humanLines({ needsHuman }: VerifyReport, page: Page): string[] {
  if (needsHuman.length === 0) return [];
  return [
    '',
    page.paint.yellow('Cannot be fixed automatically; it needs your judgement:'),
    ...needsHuman.flatMap((question) => ['', ...questionLines(question, page)]),
  ];
}

function questionLines(
  { task, file, issue, specSays, planSays, options }: NeedsHuman,
  { width, paint }: Page,
): string[] {
  const row = (label: string, text: string) => hang(label, oneLine(text), { width, indent: 4 });
  return [
    ...hang('', task === null ? file : `Task ${task} (${file}):`, { width, indent: 2, tint: paint.bold }),
    ...row('Issue: ', issue),
    ...row('Spec says: ', specSays === '' ? '(nothing)' : `"${specSays}"`),
    ...row('Plan says: ', planSays === '' ? '(nothing)' : `"${planSays}"`),
    '    Options:',
    ...options.flatMap((option, index) => hang(`${index + 1}. `, oneLine(option), { width, indent: 6 })),
  ];
}

function verdict({ status, reason, fixes, rounds }: VerifyReport, page: Page): string[] {
  const { width } = page;
  const why = reason === '' ? '' : `: ${oneLine(reason)}`;
  const left = rounds.at(-1)?.failures.length ?? 0;
  switch (status) {
    case 'pass': {
      const fixed =
        fixes.length > 0 ? ` (${plural(fixes.length, 'issue', 'issues')} fixed automatically)` : '';
      return [`Verification PASSED${fixed}`];
    }
    case 'fail':
      return hang('', `Verification FAILED with ${plural(left, 'failure', 'failures')}${why}`, { width });
    case 'needs_human':
      return hang('', `Verification needs a person${why}`, { width });
    case 'inconclusive':
      return hang('', `Verification is inconclusive${why}`, { width });
  }
}

function next({ status, plan }: VerifyReport): string[] {
  switch (status) {
    case 'pass':
      return [`Next: joinery run --plan ${plan}`];
    case 'fail':
    case 'needs_human':
      return [`After fixing, run: joinery verify ${plan}`];
    case 'inconclusive':
      return [`Next: joinery verify ${plan}`];
  }
}
