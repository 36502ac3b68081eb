import { visibleLine } from '#lib/visible.ts';
import type { FinalReport } from '#schema/final-report.ts';
import { measureLines } from './measures.ts';
import { describeRunStatus } from './run.ts';

/** The final report as Markdown: read on a terminal, or pasted into a pull request. */
export function renderFinal(report: FinalReport): string {
  const { run, asked, landed, notLanded, findings, proof, claims, cost, degraded, next } = report;
  const sections: [string, string[]][] = [
    [
      'Asked',
      [
        asked.spec === null ? 'A plan' : `Spec ${asked.spec}`,
        ...report.phases.map(({ phase, status: end, detail }) => `${phase}: ${end}, ${detail}`),
        ...asked.tasks.map(({ id, title }) => `task ${id}: ${title}`),
      ],
    ],
    ['Why', (report.reason ?? '').split('; ').filter(Boolean)],
    [
      'Landed',
      landed
        ? [
            `${landed.ref}: ${landed.before.slice(0, 12)} → ${landed.after.slice(0, 12)}, tasks ${landed.tasks.join(', ')}`,
            `receipt ${landed.receipt}`,
          ]
        : ['nothing'],
    ],
    ['Not landed', notLanded.map(({ task, status: end, reason }) => `task ${task} (${end}): ${reason}`)],
    ['Findings between tasks', findings.map(findingLine)],
    ['Important, and kept nothing out', report.shown.map(({ rule, message }) => `${rule}: ${message}`)],
    ['Reviews', report.reviews.map(reviewLine)],
    [
      'Proof',
      [
        ...proof
          .filter(({ status: end }) => end !== 'skipped')
          .map(({ name, status: end, detail }) => `${name}: ${end}, ${detail}`),
        `claims: ${claims.proven} of ${claims.all} are proven`,
        ...(report.containment === undefined ? [] : [`agents, gates and tests ran ${report.containment}`]),
      ],
    ],
    [
      'Not proven',
      [
        ...(report.unproven === undefined ? [] : [unprovenLine(report.unproven)]),
        ...proof
          .filter(({ status: end }) => end === 'skipped')
          .map(({ name, detail }) => `${name}: ${detail}`),
      ],
    ],
    ['Measures', report.measures ? measureLines(report.measures) : []],
    ['Cost', [`${cost.tokens} tokens, $${cost.usd.toFixed(2)}`]],
    ['Degraded', [...degraded]],
    ['Open questions', [...report.questions]],
    ['Next', next.map((command) => `\`${command}\``)],
  ];
  const body = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `## ${title}\n\n${lines.map((line) => `- ${visibleLine(line)}`).join('\n')}\n`);
  const state = describeRunStatus(report, report.questions.length);
  return [`# Run ${run}: ${state}\n`, ...body].join('\n').trimEnd();
}

function unprovenLine({ reason, by }: NonNullable<FinalReport['unproven']>): string {
  return by === null ? reason : `${reason}; ${by} decided that it may land so`;
}

function reviewLine({
  task,
  attempt,
  verdict,
  consensus,
  reason,
  accepted,
  deferred,
  rejected,
  redTests,
}: FinalReport['reviews'][number]): string {
  const tests = redTests.length === 0 ? '' : `; shown by ${redTests.join(', ')}`;
  return `${task}, attempt ${attempt}: ${verdict}, consensus ${consensus}; ${accepted} accepted, ${deferred} deferred, ${rejected} rejected: ${reason}${tests}`;
}

function findingLine({
  rule,
  message,
  sites,
  owner,
  isFixed,
  attempts,
}: FinalReport['findings'][number]): string {
  const places = sites.map(({ task, file, line }) => `${file}:${line} (task ${task})`);
  const end = isFixed ? `fixed by task ${owner ?? '?'}, attempt ${attempts}` : 'open';
  return `${rule} ${message}, ${[...new Set(places)].join(' and ')}: ${end}`;
}
