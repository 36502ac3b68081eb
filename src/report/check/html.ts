import { visible } from '#lib/visible.ts';
import { escapeMarkup } from '#report/text/markup.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type { Frames } from '#schema/frame.ts';
import type { CheckView } from '#schema/window.ts';

export interface PageParts {
  readonly script: string;
  readonly style: string;
}

/** The seams of a report as one self-contained page: no request, no server. */
export function renderHtml(view: CheckView, { script, style }: PageParts): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">`,
    `<title>${escapeMarkup(titleOf(view))}</title>`,
    `<style>${style.replaceAll('</', '<\\/')}</style>`,
    '</head>',
    '<body>',
    '<div id="root"></div>',
    // The first '</' would end the script element: a hostile file name must not do that.
    `<script type="application/json" id="report">${JSON.stringify(view).replaceAll('<', '\\u003c')}</script>`,
    `<script>${script.replaceAll('</script', '<\\/script')}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

export function checkViewOf(report: CheckReport, frames: Frames, at: Date, repository: string): CheckView {
  return {
    schema: 'joinery/check-view@1',
    at: at.toISOString(),
    repository,
    report,
    frames: Object.fromEntries(
      report.findings.map(({ id }) => [
        id,
        (frames.get(id) ?? []).map((frame) => ({ ...frame, lines: [...frame.lines] })),
      ]),
    ),
  };
}

function titleOf({ repository, report }: CheckView): string {
  const words = { pass: 'branches fit', fail: 'branches do not fit', undecided: 'undecided' };
  return `${visible(repository)}: ${words[report.status]}`;
}
