import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { CheckedPull } from '#schema/ci-report.ts';
import type { Frames } from '#schema/frame.ts';
import { holdsBack } from '#schema/verdict.ts';
import { isForPeople } from './groups.ts';
import { plain, renderMarkdown } from './markdown.ts';
import { capped, countByLabel, counted, headline } from './wording.ts';

/** The pull request a job is about, and the others. */
export interface PullPage {
  /** The forge's word: `pull request`. */
  readonly noun: string;
  readonly subject: string | null;
  readonly pulls: readonly (CheckedPull & { readonly mark: string; readonly link: string })[];
  readonly notes: readonly string[];
}

const mostOthers = 20;
const mostNotes = 10;
/** GitHub allows 65,536 characters in a comment; the section about other pull requests needs its share. */
const findingsLimit = 45_000;

/** The comment on a pull request: which others it clashes with and who wrote them, then the findings. */
export function renderComment(report: CheckReport, frames: Frames, marker: string, page: PullPage): string {
  const body = renderMarkdown(report, frames, { limit: findingsLimit, title: pullHeadline(report, page) });
  const [head = '', ...rest] = body.trimEnd().split('\n\n');
  const notes = page.notes.map((note) => `- ${plain(note)}`);
  const blocks = [
    marker,
    head,
    capped(describeOthers(report, page), mostOthers, (count) => `- and ${count} more`).join('\n'),
    ...rest.slice(0, -1),
    capped(notes, mostNotes, (count) => `- and ${count} more`).join('\n'),
    ...rest.slice(-1),
  ];
  return `${blocks.filter((block) => block.trim() !== '').join('\n\n')}\n`;
}

/** The verdict on one pull request. Of two that clash, only the one that should move fails. */
export function pullHeadline(report: CheckReport, { noun, subject, pulls }: PullPage): string {
  if (subject === null || report.status === 'undecided') return headline(report);
  const shown = report.findings.filter(isForPeople);
  const counts = countByLabel(shown);
  if (report.status === 'fail')
    return `This ${noun} does not fit: ${counts}. Next: change it, or agree with the others below.`;
  if (shown.some(holdsBack))
    return `This ${noun} conflicts with others, which should change: ${counts}. Next: tell their authors, or land it first.`;
  const others = pulls.filter(({ ref, state }) => ref !== subject && state === 'checked').length;
  const around = others === 0 ? '' : ` and ${counted(others, `other open ${noun}`)}`;
  return `This ${noun} fits ${report.base.ref}${around}${counts === '' ? '' : `; ${counts} to look at`}.`;
}

/** `- Clashes with #13 “Rename the field” by bob: 1 blocking finding; this pull request should move.` */
function describeOthers(report: CheckReport, page: PullPage): string[] {
  return page.pulls
    .filter(({ ref }) => ref !== page.subject)
    .flatMap((pull) => {
      const shared = report.findings.filter(
        (finding) => isForPeople(finding) && finding.branches.includes(pull.ref),
      );
      if (shared.length === 0) return [];
      const merged = pull.state === 'merged' ? ' (merged meanwhile)' : '';
      return [
        `- Clashes with [${pull.mark}](${pull.link}) “${plain(pull.title)}” by **${plain(pull.author)}**${merged}: ${countByLabel(shared)}; ${whoMoves(shared, pull, page)}.`,
      ];
    });
}

function whoMoves(
  shared: readonly Finding[],
  other: { ref: string; mark: string },
  { noun, subject }: PullPage,
): string {
  const owners = new Set(shared.map(({ owner }) => owner));
  if (owners.size === 1 && owners.has(subject)) return `this ${noun} should move`;
  if (owners.size === 1 && owners.has(other.ref)) return `${other.mark} should move`;
  return 'who should move is said below';
}
