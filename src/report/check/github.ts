import { visible } from '#lib/visible.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { Frames } from '#schema/frame.ts';
import { changesOf, summarizeChanges } from './changes.ts';
import { groupByCause, isForPeople, siteFor } from './groups.ts';
import { renderMarkdown } from './markdown.ts';
import { opinionNote } from './opinion.ts';
import { coverageNote, headline, ruleTitle } from './wording.ts';

const levels = { stops: 'error', asks: 'warning', shown: 'notice', hidden: 'notice' } as const;

/**
 * One workflow command per finding, at the place that has to change, and the verdict for the log. On the page of one
 * branch, a finding is placed in that branch if possible.
 */
export function renderGithub(
  report: CheckReport,
  {
    branch = null,
    title = headline(report),
  }: { readonly branch?: string | null; readonly title?: string } = {},
): string {
  const findings = groupByCause(report.findings.filter(isForPeople)).flat();
  const changes = changesOf(report);
  const lines = [
    ...findings.map((finding) => annotate(finding, branch)),
    ...report.inconclusive.map(({ file, check, reason }) =>
      command('warning', { file, title: 'joinery: inconclusive' }, [`${check ?? file ?? ''}: ${reason}`]),
    ),
    // The prefix prevents a name that looks like a command from being one.
    `joinery: ${visible(title)}`,
    ...[...coverageNote(report), ...opinionNote(report)].map((note) => `joinery: ${visible(note)}`),
    ...(changes ? [`joinery: since the previous check: ${summarizeChanges(changes)}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** GitHub allows 1 MiB per step; a character may have three bytes. */
const summaryLimit = 340_000;

/** The page that GitHub shows for the step. */
export function renderGithubSummary(report: CheckReport, frames: Frames, title = headline(report)): string {
  return renderMarkdown(report, frames, { limit: summaryLimit, title });
}

function annotate(finding: Finding, branch: string | null): string {
  const { rule, effect, message, owner, ownerReason, suggestion, branches, id } = finding;
  const site = siteFor(finding, branch);
  const where = site
    ? { file: site.file, line: site.line, endLine: Math.max(site.line, site.endLine), col: site.column }
    : {};
  return command(levels[effect], { ...where, title: ruleTitle(rule) }, [
    message,
    `Branches: ${branches.join(', ')}`,
    owner === null ? '' : `Owner: ${owner}${ownerReason === '' ? '' : ` (${ownerReason})`}`,
    suggestion === '' ? '' : `Move: ${suggestion}`,
    `Finding: ${id}`,
  ]);
}

type Properties = Readonly<Record<string, string | number | undefined>>;

function command(name: string, properties: Properties, lines: readonly string[]): string {
  const listed = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(visible(String(value)))}`);
  const text = lines
    .filter((line) => line !== '')
    .map(visible)
    .join('\n');
  return `::${name} ${listed.join(',')}::${escapeText(text)}`;
}

function escapeText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
