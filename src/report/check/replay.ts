import { hang } from '#report/text/flow.ts';
import type { Page } from '#report/text/page.ts';
import type { Frames } from '#schema/frame.ts';
import type { ReplayReport } from '#schema/replay.ts';
import { renderGroup } from './terminal-finding.ts';
import { listed } from './wording.ts';

/** The finding in full, and whether it was found again. */
export function renderReplay(replay: ReplayReport, frames: Frames, page: Page): string {
  const { finding } = replay;
  const { label, text, tint } = verdictOf(replay, page);
  return [
    ...renderGroup([finding], frames, { ...page, verbose: true, short: (id) => id }),
    '',
    ...hang(label, text, { width: page.width, tintLabel: tint }),
    '',
  ].join('\n');
}

function verdictOf({ proof, reason, finding, unionTree }: ReplayReport, { paint }: Page) {
  switch (proof) {
    case 'confirmed': {
      const { absentOn } = finding.witness;
      const union = unionTree.rebuilt === null ? 'the union' : `the union ${unionTree.rebuilt.slice(0, 12)}`;
      const alone = absentOn.length === 0 ? '' : `, absent on ${listed(absentOn)} alone`;
      return { label: 'Reproduced: ', text: `present in ${union}${alone}`, tint: paint.red };
    }
    case 'not_reproduced':
      return { label: 'Not reproduced: ', text: reason, tint: paint.yellow };
    case 'inconclusive':
      return { label: 'Inconclusive: ', text: reason, tint: paint.yellow };
  }
}
