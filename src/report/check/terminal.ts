import { visible } from '#lib/visible.ts';
import { columnsOf } from '#report/text/columns.ts';
import { glue, hang } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { Frames } from '#schema/frame.ts';
import { renderDelta } from './delta.ts';
import { groupByCause, isForPeople, isOpinion, shortIds } from './groups.ts';
import { baseHint, landing, nextCommand } from './next-command.ts';
import { renderOpinion } from './opinion.ts';
import { renderRisk } from './risk.ts';
import { renderBriefly, renderGroup } from './terminal-finding.ts';
import {
  capped,
  checkedRefs,
  counted,
  coverageNote,
  headline,
  idleBranches,
  ignoredNote,
  leftOutNotes,
} from './wording.ts';

export interface TerminalOptions extends Page {
  /** Show every place, the witness of each finding, the branches and the counts. */
  readonly verbose: boolean;
  /** The repository has no checkout in which `git merge` could run. */
  readonly isBare?: boolean;
  /** The default branch, if the first of several names was taken as the base instead. */
  readonly passedOver?: string | null;
}

/** Causes shown with code, the most severe ones; then causes of one line. */
const mostInFull = 12;
const mostBriefly = 40;
const mostNotes = 8;
const mostRefs = 20;
const mostReasons = 3;
const narrowest = 24;
const gap = '   ';

/** The report for people: the verdict, the findings by cause with code of both sides, what can land, the next command. */
export function renderTerminal(report: CheckReport, frames: Frames, options: TerminalOptions): string {
  const page = { ...options, width: Math.max(narrowest, options.width), short: shortIds(report.findings) };
  const shown = options.verbose ? report.findings : report.findings.filter(isForPeople);
  const blocks = [
    renderVerdict(report, page),
    ...renderCauses(groupByCause(shown.filter((finding) => !isOpinion(finding))), frames, page),
    renderNotes(report, report.findings.length - shown.length, page),
    options.verbose ? renderBranches(report, page) : [],
    renderLanding(report, page),
    renderDelta(report, page),
    report.risk ? renderRisk(report.risk, page) : [],
    renderOpinion(report, page),
    ...groupByCause(shown.filter(isOpinion)).map((group) => renderGroup(group, frames, page)),
  ];
  const texts = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

type FindingPage = TerminalOptions & { readonly short: (id: string) => string };

/** Many branches far behind base have hundreds of findings: what comes first is read, so the rest is short. */
function renderCauses(groups: readonly Finding[][], frames: Frames, page: FindingPage): string[][] {
  const most = page.verbose ? groups.length : mostInFull;
  const brief = groups.slice(most, most + mostBriefly);
  const left = groups.slice(most + mostBriefly).flat();
  const note = `${left.length === 0 ? '' : `and ${counted(left.length, 'more finding')}; `}--verbose shows every finding with its code, joinery check <branch> those of one branch`;
  return [
    ...groups.slice(0, most).map((group) => renderGroup(group, frames, page)),
    brief.flatMap((group) => renderBriefly(group, page)),
    brief.length === 0 ? [] : hang('', note, { width: page.width, tint: page.paint.dim }),
  ];
}

function renderVerdict(report: CheckReport, page: TerminalOptions): string[] {
  const { paint, width } = page;
  const marks = marksOf(page);
  const { mark, tint } = {
    pass: { mark: marks.pass, tint: paint.green },
    fail: { mark: marks.fail, tint: paint.red },
    undecided: { mark: marks.unknown, tint: paint.yellow },
  }[report.status];
  const { base, landable } = report;
  const refs = checkedRefs(report);
  const land =
    refs.length === 1
      ? `It can${landable.length === 0 ? 'not' : ''} land now`
      : `${landable.length} of ${refs.length} branches can land now`;
  return [
    ...hang(`${mark} `, headline(report), { width, tintLabel: tint, tint: (text) => paint.bold(tint(text)) }),
    ...(refs.length === 0
      ? []
      : hang('  ', `${land} (base ${base.ref} ${base.commit.slice(0, 8)})`, { width, tint: paint.dim })),
    ...baseHint(report, page.passedOver ?? null).flatMap((text) =>
      hang('  ', text, { width, tint: paint.dim }),
    ),
  ];
}

/** What could not be checked, what was checked with reduced means, what is not shown. */
function renderNotes(report: CheckReport, hidden: number, page: TerminalOptions): string[] {
  const { paint, verbose } = page;
  const mostNames = verbose ? Number.POSITIVE_INFINITY : mostRefs;
  const idle = idleBranches(report);
  const notes = [
    ...report.inconclusive.map(({ file, check, reason }) => ({
      label: 'Inconclusive  ',
      tint: paint.yellow,
      text: `${[file ?? check ?? '', reason].filter(Boolean).join(': ')}`,
    })),
    ...report.degraded.map(({ check, reason }) => ({
      label: 'Degraded      ',
      tint: paint.dim,
      text: `${check}: ${reason}`,
    })),
  ];
  const most = verbose ? notes.length : mostNotes;
  const rest = [
    ...(notes.length > most ? [`and ${notes.length - most} more (--verbose shows all)`] : []),
    ...leftOutNotes(report, mostNames),
    ...coverageNote(report),
    ...(idle.length > 0 ? [`Not checked: ${capped(idle, mostNames).join(', ')}`] : []),
    ...ignoredNote(report),
    ...(hidden > 0 ? [`${counted(hidden, 'possible finding')} not shown (--verbose shows all)`] : []),
  ];
  return [
    ...notes
      .slice(0, most)
      .flatMap(({ label, text, tint }) => hang(label, text, { width: page.width, tintLabel: tint })),
    ...rest.flatMap((text) => hang('', text, { width: page.width, tint: paint.dim })),
  ];
}

function renderBranches({ branches, checkers = [], stats }: CheckReport, page: Page): string[] {
  const { dot } = marksOf(page);
  const lines = branches.map(
    ({ ref, commit, mergeBase, files, state }) =>
      `${ref} ${commit.slice(0, 8)}, since ${mergeBase.slice(0, 8)}: ${counted(files, 'file')} changed, ${state}`,
  );
  const asked = checkers.map(
    ({ name, version, origin, project, runs, unresolvedImports }) =>
      `${name} ${version} (${origin}) on ${project}: ${counted(runs, 'run')}, ${counted(unresolvedImports, 'import')} unresolved`,
  );
  const counts = Object.entries(stats).map(([name, count]) => `${name} ${count}`);
  return [...lines, ...asked, ...(counts.length === 0 ? [] : [counts.join(', ')])].flatMap((text) =>
    hang(`${dot} `, text, { width: page.width, tint: page.paint.dim }),
  );
}

function renderLanding(report: CheckReport, page: FindingPage): string[] {
  const { paint, width, short } = page;
  const { landable } = report;
  const most = page.verbose ? Number.POSITIVE_INFINITY : mostRefs;
  const mostBy = page.verbose ? Number.POSITIVE_INFINITY : mostReasons;
  const blocked = report.blocked.map(({ ref, by }) =>
    glue(by.length === 0 ? ref : `${ref} (by ${capped(by.map(short), mostBy).join(', ')})`),
  );
  const lists = [
    { label: 'Can land now: ', refs: capped(landable, most).map(glue), tint: paint.green },
    { label: 'Blocked: ', refs: capped(blocked, most), tint: paint.red },
  ].filter(({ refs }) => refs.length > 0);
  const next = nextCommand(report, page.isBare === true);
  const fits = report.status === 'pass' ? null : landing(report, page.isBare === true);
  return [
    ...renderLists(lists, width),
    // A command stays on one line, however long, so that it can be copied.
    ...[next, fits].flatMap((command) =>
      command ? [...hang('Next, ', `${command.when}:`, { width }), `  ${paint.bold(command.command)}`] : [],
    ),
  ];
}

interface RefList {
  readonly label: string;
  readonly refs: readonly string[];
  readonly tint: (text: string) => string;
}

/** Side by side if they fit on one line, otherwise one below the other. */
function renderLists(lists: readonly RefList[], width: number): string[] {
  const columns = lists.map(({ label, refs, tint }) =>
    hang(label, refs.join(', '), { width: Number.POSITIVE_INFINITY, tintLabel: tint }),
  );
  const plain = lists.map(({ label, refs }) => visible(`${label}${refs.join(', ')}`)).join(gap);
  if (columnsOf(plain) <= width) return columns.length === 0 ? [] : [columns.flat().join(gap)];
  return lists.flatMap(({ label, refs, tint }) => hang(label, refs.join(', '), { width, tintLabel: tint }));
}
