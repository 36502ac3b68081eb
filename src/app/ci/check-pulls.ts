import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { baseOverride, type CheckAnswer, checkHere } from '#app/checks/check-here.ts';
import { thisHost } from '#app/workplace/host.ts';
import type { Override } from '#app/workplace/settings.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { Forge, Occasion, Pull } from '#ci/forge.ts';
import { judge } from '#ci/judge/judge.ts';
import { GitError } from '#git/call/git-error.ts';
import { mirrorRefs, pinRef } from '#git/objects/mirror.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type { CheckedPull } from '#schema/ci-report.ts';
import type { Frames } from '#schema/frame.ts';
import { cacheDir } from '#schema/paths.ts';

export interface PullWishes {
  /** Branches of the repository; none: its open pull requests. */
  readonly refs: readonly string[];
  readonly base: string | undefined;
  readonly flags: readonly Override[];
}

export interface CheckedPulls {
  /** Only what concerns the subject. */
  readonly report: CheckReport;
  readonly frames: Frames;
  readonly base: string;
  /** The pull request the job is about; null: all of them. */
  readonly subject: { readonly number: number; readonly ref: string; readonly isOpen: boolean } | null;
  readonly pulls: readonly CheckedPull[];
  readonly notes: readonly string[];
}

/** At most this many open pull requests are compared in one job, the most recently changed first. */
const mostPulls = 200;

/**
 * Checks open pull requests against each other and against base. Their commits are fetched into a separate bare repository:
 * nothing is checked out, and settings come from base.
 */
export async function checkPulls(
  around: Surroundings,
  forge: Forge,
  wishes: PullWishes,
): Promise<CheckedPulls> {
  const { occasion } = forge;
  const base = wishes.base ?? occasion.base ?? (await forge.defaultBranch());
  const folder = join(cacheDir(thisHost(around.env)), 'ci');
  mkdirSync(folder, { recursive: true });
  const dir = mkdtempSync(join(folder, 'run-'));
  const remove = async () => rmSync(dir, { recursive: true, force: true });
  const settled = around.onInterrupt(remove);
  try {
    const room = { around: { ...around, cwd: dir }, forge, base, flags: wishes.flags };
    return wishes.refs.length > 0 ? await checkRefs(room, wishes.refs) : await checkOpen(room, occasion);
  } finally {
    await remove();
    settled();
  }
}

interface Room {
  /** Surroundings inside that separate repository. */
  readonly around: Surroundings;
  readonly forge: Forge;
  readonly base: string;
  readonly flags: readonly Override[];
}

async function checkRefs(room: Room, refs: readonly string[]): Promise<CheckedPulls> {
  const { base } = room;
  const missing = await fetchBeside(
    room,
    refs.map((ref) => [branchRef(ref), branchRef(ref)]),
  );
  const gone = refs.filter((ref) => missing.includes(branchRef(ref)));
  const answer = await checkNames(
    room,
    refs.filter((ref) => !gone.includes(ref)),
  );
  const { report, frames } = answer;
  const judged = judge(report, {
    subject: null,
    closed: new Set(),
    inconclusive: report.inconclusive,
  });
  const notes = gone.map((ref) => `${ref} is not a branch of the repository any more: it was not checked`);
  return { report: judged, frames, base, subject: null, pulls: [], notes };
}

async function checkOpen(room: Room, occasion: Occasion): Promise<CheckedPulls> {
  const { forge, base } = room;
  const own = occasion.kind === 'all' ? null : occasion.number;
  const listed = await forge.openPulls(base, mostPulls);
  // A merge queue asks whether one pull request fits what is ahead of it; the others are checked in their own turn.
  const pulls =
    occasion.kind === 'queue' ? listed.pulls.filter(({ number }) => number === own) : listed.pulls;
  const numbers = [...new Set([...(own === null ? [] : [own]), ...pulls.map(({ number }) => number)])];
  const wanted = numbers.map((number): [string, string] => [
    forge.headOf(number),
    `refs/${forge.nameOf(number)}`,
  ]);
  const queue: [string, string][] =
    occasion.kind === 'queue' ? [[occasion.headRef, 'refs/joinery/queue']] : [];
  const missing = new Set(await fetchBeside(room, [...wanted, ...queue]));
  if (occasion.kind === 'queue') await pinRef(room.around.cwd, branchRef(base), occasion.baseCommit);
  const there = numbers.filter((number) => !missing.has(forge.headOf(number)));
  const answer = await checkNames(room, there.map(forge.nameOf));
  const subject = own === null ? null : { number: own, ref: forge.nameOf(own) };
  const states = await statesNow(room, answer.report, subject);
  const isGone = (number: number) => missing.has(forge.headOf(number));
  const closed = new Set(
    [...states].flatMap(([ref, state]) => (state === 'closed' && ref !== subject?.ref ? [ref] : [])),
  );
  const report = judge(answer.report, {
    subject: subject?.ref ?? null,
    closed,
    inconclusive: await ownGaps(room, answer, subject && { ...subject, isGone: isGone(subject.number) }),
  });
  const checked = pulls.map((pull) =>
    describePull(pull, forge, isGone(pull.number) ? 'gone' : states.get(forge.nameOf(pull.number))),
  );
  return {
    report,
    frames: answer.frames,
    base,
    subject: subject && { ...subject, isOpen: (states.get(subject.ref) ?? 'open') === 'open' },
    pulls: checked,
    notes: notesOf(checked, {
      room,
      report: answer.report,
      judged: report,
      isWhole: listed.isWhole,
      subject,
      isGone,
    }),
  };
}

function describePull(pull: Pull, forge: Forge, state: string | undefined): CheckedPull {
  const { number, title, author, isFork } = pull;
  const known = state === 'gone' || state === 'closed' || state === 'merged' ? state : 'checked';
  return { ref: forge.nameOf(number), number, title, author, isFork, state: known };
}

/** Fetches base and what is compared with it. Fails if base is gone. */
async function fetchBeside(
  { around, forge, base }: Room,
  wanted: readonly (readonly [string, string])[],
): Promise<readonly string[]> {
  around.terminal.progress('fetching');
  const baseRef = branchRef(base);
  const missing = await mirrorRefs(around.cwd, forge.remote, new Map([[baseRef, baseRef], ...wanted]));
  if (!missing.includes(baseRef)) return missing;
  throw new GitError(
    'unknown-ref',
    `the repository has no branch named ${JSON.stringify(base)} to compare with`,
    {
      hint: 'name another with --base',
    },
  );
}

function branchRef(name: string): string {
  return `refs/heads/${name}`;
}

function checkNames({ around, base, flags }: Room, names: readonly string[]): Promise<CheckAnswer> {
  return checkHere(around, {
    names: names.length === 0 ? [base] : names,
    hasBase: true,
    against: undefined,
    flags: [...flags, baseOverride(base)],
    isRemembered: false,
  });
}

/** The current state of the pull requests that findings name. */
async function statesNow(
  { forge }: Room,
  report: CheckReport,
  subject: { readonly ref: string; readonly number: number } | null,
): Promise<ReadonlyMap<string, string>> {
  const involved = report.findings.filter(
    ({ branches }) => subject === null || branches.includes(subject.ref),
  );
  const refs = new Set([
    ...(subject === null ? [] : [subject.ref]),
    ...involved.flatMap(({ branches }) => branches),
  ]);
  const numbers = [...refs].flatMap((ref) => {
    const number = Number(/\/(\d+)$/.exec(ref)?.[1]);
    return number > 0 && forge.nameOf(number) === ref ? [number] : [];
  });
  const states = new Map<string, string>();
  for (const number of numbers) states.set(forge.nameOf(number), await forge.stateOf(number));
  return states;
}

/** An unreadable file of another pull request does not count against this one, if this one can be read by itself. */
async function ownGaps(
  room: Room,
  { report }: CheckAnswer,
  subject: { readonly ref: string; readonly isGone: boolean } | null,
): Promise<CheckReport['inconclusive']> {
  if (subject?.isGone)
    return [{ check: subject.ref, reason: 'the repository has no commits of it any more' }];
  if (subject === null || report.inconclusive.length === 0) return report.inconclusive;
  return (await checkNames(room, [subject.ref])).report.inconclusive;
}

interface Told {
  readonly room: Room;
  readonly report: CheckReport;
  readonly judged: CheckReport;
  readonly isWhole: boolean;
  readonly subject: { readonly number: number; readonly ref: string } | null;
  isGone(number: number): boolean;
}

function notesOf(pulls: readonly CheckedPull[], told: Told): string[] {
  const { room, report, judged, isWhole, subject, isGone } = told;
  const { noun, markOf } = room.forge;
  const others =
    subject && isGone(subject.number) ? 0 : report.inconclusive.length - judged.inconclusive.length;
  return [
    ...pulls.flatMap(({ number, state, ref }) => {
      if (ref === subject?.ref) return [];
      if (state === 'gone')
        return [`${markOf(number)} has no commits in the repository any more: it was not checked`];
      if (state === 'closed') return [`${markOf(number)} was closed meanwhile: its findings are left out`];
      return [];
    }),
    ...(isWhole ? [] : [`only the ${mostPulls} most recently changed ${noun}s were checked`]),
    ...(others > 0
      ? [`${others} files of other ${noun}s could not be read: clashes with them may be missing`]
      : []),
  ];
}
