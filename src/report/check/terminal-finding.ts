import { hang, sideBySide } from '#report/text/flow.ts';
import { marksOf, type Page } from '#report/text/page.ts';
import { type Paint, tintOf as tintOfSeverity } from '#report/text/paint.ts';
import type { Finding } from '#schema/check-report.ts';
import type { Frames } from '#schema/frame.ts';
import { breaks } from '#schema/verdict.ts';
import { type Choice, chooseFrames, type ShownFrame, shownPlaces, summarizeSites } from './choose-frames.ts';
import { renderCodeRows, renderFrameLabel } from './code-frame.ts';
import { capped, certaintyOf, counted, labelOf, listed, ruleTitle } from './wording.ts';

const mostPlaces = 6;
/** Findings of one cause that are shown in full; the others add little. */
const mostOfOneCause = 5;
const indent = 2;
const labelWidth = 8;
const mostOutput = 40;

interface FindingPage extends Page {
  readonly verbose: boolean;
  readonly short: (id: string) => string;
}

/** Red stops, yellow asks; what is only told has a quieter colour. */
function tintOf(paint: Paint, { effect, severity }: Finding): (text: string) => string {
  if (effect === 'stops') return paint.red;
  return effect === 'asks' || breaks({ severity }) ? paint.yellow : tintOfSeverity(paint, severity);
}

/** One cause: its first finding in full, then what the others add. */
export function renderGroup(group: readonly Finding[], frames: Frames, page: FindingPage): string[] {
  const most = page.verbose ? group.length : mostOfOneCause;
  const shown = new Set<string>();
  let previous: Finding | undefined;
  const full = group.slice(0, most).flatMap((finding) => {
    const choice = chooseFrames(finding, frames.get(finding.id) ?? [], page.verbose, shown);
    for (const frame of choice.frames) for (const place of shownPlaces(frame)) shown.add(place);
    const lines = [
      ...(previous ? ['', ...renderSameCause(finding, page)] : renderHeading(finding, page)),
      ...renderMessage(finding, previous, page),
      ...renderFrames(choice.frames, page),
      ...renderOthers(choice, page),
      ...renderMove(finding, previous, page),
      ...(page.verbose ? renderWitness(finding, page) : []),
    ];
    previous = finding;
    return lines;
  });
  const rest = group.slice(most).flatMap((finding) => renderBriefly([finding], page));
  return rest.length === 0 ? full : [...full, '', ...rest];
}

/** One line for a cause: `BLOCKING T01 69b179d1 main and feat/a conflict in 6 files`. */
export function renderBriefly([first, ...others]: readonly Finding[], page: FindingPage): string[] {
  if (!first) return [];
  const { rule, id, message } = first;
  const more = others.length === 0 ? '' : ` (and ${others.length} more of the same cause)`;
  return hang(`${labelOf(first).toUpperCase()} `, `${rule} ${page.short(id)} ${message}${more}`, {
    width: page.width,
    tintLabel: tintOf(page.paint, first),
  });
}

function renderHeading(finding: Finding, page: FindingPage): string[] {
  const { paint } = page;
  const { rule, id } = finding;
  return sideBySide(
    [
      { text: labelOf(finding).toUpperCase(), tint: (text) => paint.bold(tintOf(paint, finding)(text)) },
      { text: ruleTitle(rule), tint: paint.bold },
      { text: certaintyOf(finding) },
      { text: page.short(id), tint: paint.dim },
    ],
    page.width,
    indent,
  );
}

function renderSameCause(finding: Finding, page: FindingPage): string[] {
  const { paint } = page;
  const { id, branches } = finding;
  return sideBySide(
    [
      { text: `Same cause: ${listed(branches)}`, tint: paint.bold },
      { text: labelOf(finding), tint: tintOf(paint, finding) },
      { text: certaintyOf(finding) },
      { text: page.short(id), tint: paint.dim },
    ],
    page.width - indent,
    indent,
  ).map((line) => `${' '.repeat(indent)}${line}`);
}

function renderMessage(finding: Finding, previous: Finding | undefined, { width }: FindingPage): string[] {
  return previous?.message === finding.message ? [] : hang('', finding.message, { width, indent });
}

/** Consecutive frames of one file share one label. */
function renderFrames(frames: readonly ShownFrame[], page: FindingPage): string[] {
  return frames.flatMap((frame, index) => {
    const before = frames[index - 1];
    const isContinued =
      before?.branch === frame.branch && before.file === frame.file && before.removed === frame.removed;
    return isContinued
      ? [`${' '.repeat(indent)}${page.paint.dim(marksOf(page).skipped)}`, ...renderCodeRows(frame, page)]
      : ['', ...renderFrameLabel(frame, page), ...renderCodeRows(frame, page)];
  });
}

function renderOthers({ frames, others }: Choice, page: FindingPage): string[] {
  if (others.length === 0) return [];
  const most = page.verbose ? others.length : mostPlaces;
  const places = summarizeSites(others, most);
  if (others.length > most) places.push(marksOf(page).ellipsis);
  const label = frames.length === 0 ? 'at ' : `and ${counted(others.length, 'more place')}: `;
  return hang('', `${label}${places.join(', ')}`, { width: page.width, indent, tint: page.paint.dim });
}

/** Who should move, why and how; printed once if several findings of a cause agree. */
function renderMove(finding: Finding, previous: Finding | undefined, page: FindingPage): string[] {
  const { owner, ownerReason, suggestion } = finding;
  const isSameOwner = previous?.owner === owner && previous.ownerReason === ownerReason;
  const reason = ownerReason === '' ? '' : `: ${ownerReason}`;
  const lines = [
    ...(isSameOwner ? [] : labelled('Owner', `${owner ?? 'undecided'}${reason}`, page)),
    ...(suggestion === '' || previous?.suggestion === suggestion ? [] : labelled('Move', suggestion, page)),
  ];
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Everything a person needs to reproduce the problem. */
function renderWitness({ witness, fix, tier, decidedBy }: Finding, page: FindingPage): string[] {
  const { arrow, dot } = marksOf(page);
  const members = witness.members.map(({ ref, commit }) => `${ref} ${commit.slice(0, 8)}`).join(' + ');
  const alone = witness.absentOn.length === 0 ? '' : `; not on ${listed(witness.absentOn)} alone`;
  const union =
    witness.unionTree === null ? 'the text does not merge' : `tree ${witness.unionTree.slice(0, 8)}`;
  const output = witness.output === '' ? [] : capped(witness.output.split('\n'), mostOutput);
  return [
    ...(fix ? labelled('Fix', `${fix.from} ${arrow} ${fix.to}`, page) : []),
    ...labelled('Union', `${members} = ${union}${alone}`, page),
    ...labelled('Judged', `by ${decidedBy}, references resolved at ${tier}`, page),
    ...(witness.command === '' ? [] : labelled('Again', witness.command, page)),
    ...output.flatMap((line) =>
      hang(`${dot} `, line, { width: page.width, indent, tintLabel: page.paint.dim }),
    ),
  ];
}

function labelled(label: string, text: string, { width, paint }: FindingPage): string[] {
  return hang(label.padEnd(labelWidth), text, { width, indent, tintLabel: paint.dim });
}
