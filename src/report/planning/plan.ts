import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { PlanReport, Price } from '#schema/planning.ts';
import { renderAudit } from './audit.ts';
import { renderGuardian } from './guardian.ts';
import { oneLine, plural, tokens } from './words.ts';

/** The result of planning, for people. */
export function renderPlan(report: PlanReport, page: Page): string {
  return [
    ...(report.audit && report.audit.status !== 'pass' ? [renderAudit(report.audit, page), ''] : []),
    ...(report.guardian ? [...renderGuardian(report.guardian, page), ''] : []),
    ...(report.status === 'planned' ? planned(report, page) : refused(report, page)),
  ].join('\n');
}

function planned(report: PlanReport, page: Page): string[] {
  const { plan, file, price, isCached } = report;
  const { width, paint } = page;
  const marks = marksOf(page);
  if (plan === null) return [];
  const note = (mark: string, text: string, tint: (text: string) => string) =>
    hang(`${mark} `, oneLine(text), { width, indent: 2, tintLabel: tint });
  return [
    paint.bold(
      `${plural(plan.tasks.length, 'task', 'tasks')} in ${file}${isCached ? ' (nothing has changed: no agent was asked)' : ''}`,
    ),
    ...plan.tasks.flatMap(({ id, title, dependsOn, files }) =>
      hang(
        `${id}  `,
        oneLine(
          `${title}${dependsOn.length > 0 ? ` (after ${dependsOn.join(', ')})` : ''}: ${files.join(', ') || 'no files declared'}`,
        ),
        { width, indent: 2, tintLabel: paint.cyan },
      ),
    ),
    ...report.decomposition.flatMap(({ status, message }) =>
      status === 'repaired'
        ? note(marks.pass, message, paint.green)
        : note(marks.warn, message, paint.yellow),
    ),
    ...report.uncovered.flatMap((title) =>
      note(marks.warn, `no task refers to the section "${title}"`, paint.yellow),
    ),
    ...(plan.validation ?? []).flatMap(({ severity, issue }) =>
      note(marks.dot, `${severity}: ${issue}`, paint.dim),
    ),
    ...report.degraded.flatMap((what) => note(marks.warn, what, paint.yellow)),
    ...(price ? ['', ...priceLines(price, plan.approach, page)] : []),
    ...costLine(report),
    '',
    `Next: joinery verify ${file}`,
  ];
}

/** Both prices, so that a reader can check the choice. */
function priceLines(
  price: Price,
  approach: { mode: string; reason: string } | undefined,
  page: Page,
): string[] {
  const { width, paint } = page;
  const row = (name: 'parallel' | 'serial') => {
    const { tokens: count, minutes, clashProbability } = price[name];
    const mark = approach?.mode === name ? marksOf(page).arrow : ' ';
    const risk = name === 'serial' ? 'no clash' : `clash ${Math.round(clashProbability * 100)} %`;
    return `  ${mark.padEnd(2)} ${name.padEnd(9)} ${tokens(count).padStart(6)} tokens  ${String(minutes).padStart(6)} min  ${risk}`;
  };
  const each = `${tokens(price.perTask.tokens)} tokens and ${price.perTask.minutes} min for each task`;
  const basis =
    price.basis === 'ledger'
      ? `${each}, the median of ${price.samples} tasks of past runs`
      : `${each}: a prior, past runs hold ${plural(price.samples, 'task', 'tasks')} to learn from`;
  return [
    paint.bold(approach?.mode === 'serial' ? 'One task after the other' : 'Side by side'),
    row('parallel'),
    row('serial'),
    ...hang('Why: ', oneLine(approach?.reason ?? price.why), { width, indent: 2 }),
    ...hang('Basis: ', basis, { width, indent: 2 }),
    ...price.pairs
      .slice(0, 3)
      .flatMap(({ tasks, probability, why }) =>
        hang('', `${tasks.join(' and ')}: ${Math.round(probability * 100)} %, ${why}`, { width, indent: 2 }),
      ),
  ];
}

function costLine({ consultations }: PlanReport): string[] {
  if (consultations.length === 0) return [];
  const sum = (pick: (each: PlanReport['consultations'][number]) => number) =>
    consultations.reduce((total, each) => total + pick(each), 0);
  const usd = sum((each) => each.usd);
  return [
    '',
    `Asked ${plural(consultations.length, 'time', 'times')}: ${tokens(sum((each) => each.in + each.out))} tokens${usd > 0 ? `, $${usd.toFixed(2)}` : ''}`,
  ];
}

function refused(report: PlanReport, page: Page): string[] {
  const { width, paint } = page;
  const marks = marksOf(page);
  const word = report.status === 'inconclusive' ? 'No plan' : 'No plan was written';
  return [
    ...hang('', `${word}: ${oneLine(report.reason)}`, { width, tint: paint.bold }),
    ...report.problems.flatMap((problem) =>
      hang(`${marks.fail} `, oneLine(problem), { width, indent: 2, tintLabel: paint.red }),
    ),
    ...costLine(report),
  ];
}
