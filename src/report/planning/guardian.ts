import { hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { Guardian } from '#schema/planning.ts';
import { oneLine } from './words.ts';

/** The guardian's result, for people. */
export function renderGuardian({ status, summary, flags }: Guardian, page: Page): string[] {
  const { width, paint } = page;
  const marks = marksOf(page);
  const tints = {
    aligned: paint.green,
    flagged: paint.yellow,
    rejected: paint.red,
    inconclusive: paint.yellow,
  };
  return [
    ...hang('Guardian: ', oneLine(`${status}. ${summary}`), { width, tintLabel: tints[status] }),
    ...flags.flatMap(({ severity, description, visionReference, recommendation }) => [
      ...hang(`${severity === 'critical' ? marks.fail : marks.warn} `, oneLine(description), {
        width,
        indent: 2,
        tintLabel: severity === 'critical' ? paint.red : paint.yellow,
      }),
      ...(visionReference === ''
        ? []
        : hang('Vision: ', oneLine(visionReference), { width, indent: 4, tint: paint.dim })),
      ...(recommendation === ''
        ? []
        : hang(`${marks.arrow} `, oneLine(recommendation), { width, indent: 4 })),
    ]),
  ];
}
