import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { DefectReport } from '#schema/defect.ts';
import { oneLine } from './words.ts';

/** The state of a defect, for people: triage, attempts, proof, and what to do next. */
export function renderDefect(defect: DefectReport, page: Page): string {
  const { width, paint } = page;
  const { name, status, reason, triage, route, attempts } = defect;
  const marks = marksOf(page);
  const tint = status === 'fixed' ? paint.green : paint.yellow;
  return [
    ...hang(`${name}: `, `${status}${reason === '' ? '' : `: ${oneLine(reason)}`}`, {
      width,
      tintLabel: paint.bold,
      tint,
    }),
    ...(triage
      ? [
          ...hang('Cause: ', oneLine(triage.rootCauseHypothesis || 'not known'), { width, indent: 2 }),
          ...hang('Files: ', triage.affectedFiles.join(', ') || 'none', { width, indent: 2 }),
          ...hang('Size: ', `${route}, blast radius ${triage.blastRadius}`, { width, indent: 2 }),
        ]
      : []),
    ...attempts.flatMap(({ stage, n, problems, reverted }) => {
      const isGood = problems.length === 0;
      return [
        ...hang(
          `${isGood ? marks.pass : marks.fail} `,
          `${stage} ${n}${isGood ? '' : `: ${oneLine(problems.join('; '))}`}`,
          { width, indent: 2, tintLabel: isGood ? paint.green : paint.red },
        ),
        ...(reverted.length === 0
          ? []
          : hang('', `left out, beyond what may change: ${reverted.join(', ')}`, { width, indent: 4 })),
      ];
    }),
    ...proofLines(defect, page),
    ...nextLines(defect),
  ].join('\n');
}

function proofLines({ proof }: DefectReport, page: Page): string[] {
  if (!proof) return [];
  const { width, paint } = page;
  const { red, green } = proof;
  return [
    ...hang(
      'red:   ',
      `${red.tests.join(', ')} on ${red.commit.slice(0, 12)}, evidence ${red.evidence.join(', ')}`,
      {
        width,
        indent: 2,
        tintLabel: paint.red,
      },
    ),
    ...(green
      ? hang(
          'green: ',
          `${green.gates.map(({ gate, status }) => `${gate} ${status}`).join(', ')} on ${green.commit.slice(0, 12)}, evidence ${green.evidence.join(', ')}`,
          { width, indent: 2, tintLabel: paint.green },
        )
      : []),
  ];
}

function nextLines({ status, branch, draft, report }: DefectReport): string[] {
  if (status === 'fixed') return [`Next: joinery integrate ${branch} --land --update-checkout`];
  if (draft !== null) return [`Next: fill in ${draft}, then joinery plan ${draft}`];
  if (status === 'triaged') return [`Next: joinery defect ${report} --yes`];
  if (status === 'triaging') return [`Next: joinery defect ${report}`];
  return status === 'escalated'
    ? [`Next: add what you know to ${report}, then joinery defect ${report}`]
    : [];
}
