import { visible } from '#lib/visible.ts';
import { escapeMarkup } from '#report/text/markup.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { Frames } from '#schema/frame.ts';
import { allResolved, areAllResolved, changesOf, countBlocking, summarizeChanges } from './changes.ts';
import { chooseFrames, type ShownFrame, summarizeSites } from './choose-frames.ts';
import { groupByCause, isForPeople, primarySite, shortIds } from './groups.ts';
import { opinionLosses, opinionNote } from './opinion.ts';
import {
  capped,
  certaintyOf,
  counted,
  coverageNote,
  headline,
  idleBranches,
  ignoredNote,
  labelOf,
  ruleTitle,
} from './wording.ts';

interface MarkdownOptions {
  /** Maximum length; findings that do not fit are left out as a whole. */
  readonly limit?: number;
  /** Replaces the default verdict line, which speaks of several branches. */
  readonly title?: string;
}

/** GitHub allows 65,536 characters in a comment. */
const commentLimit = 60_000;
const longestText = 600;
const longestName = 120;
const longestLine = 160;
const mostLines = 30;
const mostNames = 20;
const mostNotes = 10;
const mostPlaces = 10;
const mostChanges = 10;

const icons = { pass: '✅', fail: '❌', undecided: '❔' } as const;

interface Entry {
  readonly row: string;
  readonly details: string;
}

/** The report as a pull-request comment. */
export function renderMarkdown(
  report: CheckReport,
  frames: Frames,
  { limit = commentLimit, title = headline(report) }: MarkdownOptions = {},
): string {
  const findings = groupByCause(report.findings.filter(isForPeople)).flat();
  const short = shortIds(report.findings);
  const entries = findings.map((finding) => ({
    row: renderRow(finding, short),
    details: renderDetails(finding, frames, short),
  }));
  const head = `### ${icons[report.status]} ${plain(title)}`;
  const [changes = '', ...tail] = withinRoom(
    [renderChanges(report), ...renderTail(report, short)],
    limit / 2,
  );
  const around = [head, changes, ...tail].join('\n\n').length + tableHead.length + roomForOmission;
  const kept = fitting(entries, limit - around);
  const blocks = [
    head,
    changes,
    kept.length === 0 ? '' : [tableHead, ...kept.map(({ row }) => row)].join('\n'),
    omission(entries.length - kept.length),
    ...kept.map(({ details }) => details),
    ...tail,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const tableHead = '| | Rule | What | Branches | Owner |\n|---|---|---|---|---|';
const roomForOmission = 200;

function fitting(entries: readonly Entry[], room: number): Entry[] {
  const kept: Entry[] = [];
  let left = room;
  for (const entry of entries) {
    left -= entry.row.length + entry.details.length + 3;
    if (left < 0) break;
    kept.push(entry);
  }
  return kept;
}

/** Lists are capped, but names may be long: a block that would take the room of the others is left out. */
function withinRoom(blocks: readonly string[], room: number): string[] {
  let left = room;
  return blocks.map((block) => {
    if (block.length > left) return '_A list is left out for length; the other formats have all._';
    left -= block.length;
    return block;
  });
}

function omission(count: number): string {
  return count === 0
    ? ''
    : `_${counted(count, 'more finding')} left out for length; the other formats have all._`;
}

function renderRow(finding: Finding, short: (id: string) => string): string {
  const { id, rule, message, branches, owner, effect } = finding;
  const label = labelOf(finding);
  const cells = [
    `${effect === 'stops' || effect === 'asks' ? `**${label}**` : label}, ${plain(certaintyOf(finding))}`,
    `${plain(ruleTitle(rule))} ${cellCode(short(id))}`,
    plain(message),
    capped(branches.map(cellCode), mostNames).join(', '),
    owner === null ? '' : cellCode(owner),
  ];
  return `| ${cells.join(' | ')} |`;
}

function renderDetails(finding: Finding, frames: Frames, short: (id: string) => string): string {
  const { owner, ownerReason, suggestion, witness } = finding;
  const choice = chooseFrames(finding, frames.get(finding.id) ?? [], false);
  const site = primarySite(finding);
  const place = site ? ` ${htmlCode(`${site.file}:${site.line}`)}` : '';
  const reason = ownerReason === '' ? '' : `: ${plain(ownerReason)}`;
  const others = summarizeSites(choice.others, mostPlaces);
  const parts = [
    `<details><summary>${html(finding.rule)}${place} ${htmlCode(short(finding.id))}</summary>`,
    plain(finding.message),
    ...choice.frames.map(renderFrame),
    others.length === 0
      ? ''
      : `${choice.frames.length === 0 ? 'At' : `And ${counted(choice.others.length, 'more place')}:`} ${others.map(code).join(', ')}${choice.others.length > mostPlaces ? ', …' : ''}`,
    [
      `- **Owner** ${owner === null ? 'undecided' : code(owner)}${reason}`,
      suggestion === '' ? '' : `- **Move** ${plain(suggestion)}`,
      witness.command === '' ? '' : `- **See it again** ${code(witness.command)}`,
    ]
      .filter((line) => line !== '')
      .join('\n'),
    '</details>',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function renderFrame({ branch, file, firstLine, lines, sites, removed }: ShownFrame): string {
  const digits = String(firstLine + lines.length).length;
  const column = sites[0]?.column ?? 1;
  const from = column > longestLine - 40 ? column - 40 : 0;
  const rows = lines.slice(0, mostLines).map((line, index) => {
    const number = firstLine + index;
    const marker = removed ? '-' : sites.some((site) => site.line === number) ? '>' : ' ';
    const text = visible(line.slice(from).replaceAll('\t', '    ').replace(/\r$/, ''));
    const code = clip(`${from > 0 ? '…' : ''}${text}`, longestLine);
    return `${marker} ${String(number).padStart(digits)} | ${code}`.trimEnd();
  });
  const fence = '`'.repeat(Math.max(3, longestRun(rows.join('\n')) + 1));
  const place = code(`${file}:${sites[0]?.line ?? firstLine}`);
  return `${code(branch)} ${place}${removed ? ' (removed)' : ''}\n${fence}text\n${rows.join('\n')}\n${fence}`;
}

/** The delta to an earlier report. */
function renderChanges(report: CheckReport): string {
  const changes = changesOf(report);
  if (!changes) return '';
  const { before, now } = countBlocking(changes);
  const short = shortIds(Object.values(changes).flat());
  const kinds = [
    { findings: changes.fixed, label: '✅ Fixed' },
    { findings: changes.new, label: '🆕 New' },
    { findings: changes.regressed, label: '🔁 Regressed' },
    { findings: changes.unverified, label: '❔ Not checked this time' },
  ];
  const lines = kinds.flatMap(({ findings, label }) =>
    capped(
      findings.map(
        ({ id, rule, message }) => `- ${label}: ${plain(`${rule} ${message}`)} ${code(short(id))}`,
      ),
      mostChanges,
      (count) => `- ${label}: and ${count} more`,
    ),
  );
  const resolved = areAllResolved(changes) ? ` ${allResolved}` : '';
  return [
    `**Since the previous check:** ${summarizeChanges(changes)}; blocking findings ${before} → ${now}.${resolved}`,
    ...(lines.length === 0 ? [] : ['', ...lines]),
  ].join('\n');
}

function renderTail(report: CheckReport, short: (id: string) => string): string[] {
  const { landable, blocked, inconclusive, degraded, base } = report;
  const idle = idleBranches(report);
  const notes = [
    ...inconclusive.map(
      ({ file, check, reason }) => `- Inconclusive: ${code(file ?? check ?? '')} ${plain(reason)}`,
    ),
    ...degraded.map(({ check, reason }) => `- Degraded: ${code(check)} ${plain(reason)}`),
  ];
  const blockedBy = blocked.map(({ ref, by }) => {
    const ids = capped(
      by.map((id) => code(short(id))),
      mostNotes,
    ).join(', ');
    return `${code(ref)}${ids === '' ? '' : ` (by ${ids})`}`;
  });
  return [
    landable.length === 0 ? '' : `**Can land now:** ${names(landable)}`,
    blocked.length === 0 ? '' : `**Blocked:** ${capped(blockedBy, mostNames).join(', ')}`,
    capped(notes, mostNotes).join('\n'),
    ...coverageNote(report).map(plain),
    ...opinionNote(report).map(plain),
    capped(
      opinionLosses(report).map((text) => `- ${plain(text)}`),
      mostNotes,
      (count) => `- and ${count} more`,
    ).join('\n'),
    idle.length === 0 ? '' : `Not checked: ${capped(idle.map(plain), mostNames).join(', ')}`,
    ...ignoredNote(report).map(plain),
    `<sub>joinery check on ${code(base.ref)} ${code(base.commit.slice(0, 8))}</sub>`,
  ];
}

function names(refs: readonly string[]): string {
  return capped(refs.map(code), mostNames).join(', ');
}

function clip(text: string, longest: number): string {
  return text.length <= longest ? text : `${Array.from(text.slice(0, longest)).slice(0, -1).join('')}…`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

/** Inside code only the closing backticks have a meaning; names there neither link nor notify. */
function code(text: string): string {
  const content = clip(visible(text), longestName);
  if (content.trim() === '') return '';
  const ticks = '`'.repeat(longestRun(content) + 1);
  const pad = /^`|`$/.test(content) ? ' ' : '';
  return `${ticks}${pad}${content}${pad}${ticks}`;
}

/** In a table cell a pipe ends even code, so the text inside is escaped as elsewhere. */
function cellCode(text: string): string {
  return `<code>${plain(clip(text, longestName))}</code>`;
}

/** Inside a line of HTML, Markdown has no meaning. */
function html(text: string): string {
  return escapeMarkup(clip(visible(text), longestName));
}

function htmlCode(text: string): string {
  return `<code>${html(text)}</code>`;
}

const wordJoiner = '\u2060';

/** Plain text: no markup, no HTML, no mention, no link. */
export function plain(text: string): string {
  return clip(visible(text), longestText)
    .replaceAll(/[\\`*_[\]<>~&$]/g, '\\$&')
    .replace(/^[-=+#]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replaceAll(/[@#](?=\w)/g, `$&${wordJoiner}`)
    .replaceAll(/\b(https?|www)(?=[:.])/gi, `$1${wordJoiner}`)
    .replaceAll('|', '&#124;');
}
