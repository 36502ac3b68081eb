import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type { Opinion } from '#schema/opinion.ts';
import { capped, counted } from './wording.ts';

const mostRows = 10;

/** `Opinion of claude: 1 finding that code has not confirmed, 2 dropped; it decides nothing`; empty without one. */
export function opinionNote({ opinion }: CheckReport): string[] {
  if (!opinion) return [];
  const { status, reason, findings, agrees, dropped, unread } = opinion;
  if (status === 'inconclusive')
    return [`Opinion of ${sourceOf(opinion)}: inconclusive: ${reason}; the verdict is that of the code`];
  const counts = [
    `${counted(findings.length, 'finding')} that code has not confirmed`,
    ...(agrees.length > 0 ? [`${agrees.length} that code has too`] : []),
    ...(dropped.length > 0 ? [`${dropped.length} dropped`] : []),
    ...(unread.length > 0 ? [`${counted(unread.length, 'part')} not understood`] : []),
  ];
  return [`Opinion of ${sourceOf(opinion)}: ${counts.join(', ')}; it decides nothing`];
}

/** One sentence for each finding that was dropped and each part that could not be read. */
export function opinionLosses({ opinion }: CheckReport): string[] {
  if (!opinion) return [];
  return [
    ...opinion.dropped.map(({ entry, says, reason }) => `dropped ${entry}: ${reason} (it says: ${says})`),
    ...opinion.unread.map((part) => `not understood: ${part}`),
  ];
}

/** After its findings: the model, what happened to its other claims, and its summary. */
export function renderOpinion(report: CheckReport, page: Page & { readonly verbose: boolean }): string[] {
  const { opinion } = report;
  if (!opinion) return [];
  const { paint, width, verbose } = page;
  const { dot } = marksOf(page);
  const tint = opinion.status === 'read' ? paint.bold : paint.yellow;
  const rows = (label: string, texts: readonly string[]) =>
    capped(
      texts,
      verbose ? texts.length : mostRows,
      (count) => `and ${count} more (--verbose shows all)`,
    ).flatMap((text) => hang(label, text, { width, indent: 2, tintLabel: paint.dim }));
  return [
    ...opinionNote(report).flatMap((text) => hang('', text, { width, tint })),
    ...rows('', opinion.summary === '' ? [] : [opinion.summary]),
    ...rows(
      'Agrees   ',
      opinion.agrees.map(({ finding, says }) => `${finding.slice(0, 8)}: ${says}`),
    ),
    ...rows(
      'Dropped  ',
      opinion.dropped.map(({ entry, says, reason }) => `${entry}: ${reason}. It says: ${says}`),
    ),
    ...rows('Unread   ', opinion.unread),
    ...rows(
      'Cut      ',
      (opinion.prompt?.cut ?? []).map(
        ({ branch, hunks }) => `${branch}: ${counted(hunks, 'hunk')} not shown to it`,
      ),
    ),
    ...rows(`${dot} `, verbose ? [...opinion.criticalIssues, ...opinion.recommendations] : []),
  ];
}

function sourceOf({ from }: Opinion): string {
  if (from.file !== null) return from.file;
  return `${from.agent ?? 'a model'}${from.model === null ? '' : ` (${from.model})`}`;
}
