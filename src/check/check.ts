import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config/settings.ts';
import { gitIdentity } from '#git/call/git-program.ts';
import type { Repository } from '#git/call/repository.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { createScratch, type Scratch } from '#git/objects/scratch.ts';
import { type CommitFiles, filesOfCommit, readTopFiles } from '#git/trees/files-at.ts';
import { type Snapshots, snapshotsIn } from '#git/worktrees/snapshots.ts';
import { StageClock, type StageTime } from '#lib/stage-clock.ts';
import { startThread } from '#lib/thread.ts';
import { ownBuild } from '#process/own-build.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { typesAlone } from '#schema/confirm.ts';
import type { Frames } from '#schema/frame.ts';
import { type BranchTip, nameBase, nameNewestTips, type Workspace } from './branches/branch-tips.ts';
import { stableNames } from './branches/stable-names.ts';
import { lackingNow, rememberLacking, stillLacking } from './cache/lacking.ts';
import { isAsSeen, type Seen } from './cache/looked.ts';
import { OutcomeStore, type Question } from './cache/outcome-store.ts';
import type { Answered, ExamineRequest, ToldByThread } from './examine/examine-request.ts';
import type { Policy } from './findings/policy.ts';
import type { ConfirmOptions } from './typecheck/confirm.ts';
import { checkerEnvironment } from './typecheck/containment/checker-environment.ts';
import type { WitnessSettings } from './witness/witness-settings.ts';

export interface CheckRequest {
  readonly repository: Repository;
  /** null: the repository's default branch. */
  readonly base: string | null;
  /** Empty: all unmerged local branches and linked worktrees. */
  readonly branches: readonly string[];
  /** Of branches that were not typed, take only this many, those with the newest commits; null: all. */
  readonly newest?: number | null;
  /** Called as soon as some are left out for that reason. */
  readonly onLeftOut?: (counts: { readonly taken: number; readonly older: number }) => void;
  /** Commits to use for these names, instead of what they resolve to now. */
  readonly commits?: ReadonlyMap<string, string>;
  readonly cacheDir: string;
  readonly maxCacheBytes?: number;
  readonly pythonRoots?: readonly string[];
  readonly policy?: Policy;
  readonly confirm?: Pick<ConfirmOptions, 'by' | 'demanded' | 'timeLimitMs'>;
  /** Builds and tests of the branches run on unions; null: no code of a branch runs. */
  readonly running?: WitnessSettings | null;
  /** Include seam risk in the report. */
  readonly wantsRisk?: boolean;
  /** Settings as on base: these apply. `read` returns files at the root of base, `files` all of them. */
  readonly settingsOf?: (
    base: BranchTip,
    read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
    files: CommitFiles,
  ) => Promise<Pick<CheckRequest, 'branches' | 'pythonRoots' | 'policy' | 'confirm' | 'running'>>;
  /** Decides which ignore entries have expired: 2026-12-31. */
  readonly today: string;
  readonly progress?: (text: string) => void;
  /** Worktrees that were read before; default: this check reads each of them. */
  readonly snapshots?: Snapshots;
  /** Registers a cleanup for when the process is interrupted; returns a function that removes it. */
  readonly onInterrupt?: (cleanup: () => Promise<void>) => () => void;
}

/** What settings decide about a check that runs no code of branches. `demanded`: without type checkers it is inconclusive. */
export function judgingBy(
  config: Pick<Config, 'python' | 'confirm' | 'checkers' | 'rules' | 'ignore' | 'block'>,
  demanded = false,
): Pick<CheckRequest, 'pythonRoots' | 'policy' | 'confirm'> {
  return {
    pythonRoots: config.python.roots,
    policy: config,
    confirm: {
      by: typesAlone(config.confirm),
      demanded,
      timeLimitMs: config.checkers.timeoutSeconds * 1000,
    },
  };
}

export interface CheckOutcome {
  /** The report came from the cache: only names and commits were read. */
  readonly isKnown: boolean;
  readonly report: CheckReport;
  readonly frames: Frames;
  /** Facts extracted and found in the cache: they differ from run to run, so they are not part of the report. */
  readonly reads: { readonly extracted: number; readonly cached: number };
  /** Checker runs; not part of the report for the same reason. */
  readonly checkerRuns: number;
  /** CPU time of those runs. */
  readonly checkerSeconds: number;
  /** Runs of builds and tests, without those known from an earlier check. */
  readonly testRuns: number;
}

/** The stages of a check, in order; `--stats` says how long each took. */
export type Stage =
  | 'reading branches'
  | 'comparing with base'
  | 'reading changes'
  | 'comparing pairs'
  | 'building the union'
  | 'comparing names'
  | 'type-checking'
  | 'building, testing'
  | 'weighing the seams'
  | 'writing the report';

const defaultCacheBytes = 2 * 1024 * 1024 * 1024;

/** Checks whether these branches fit together. Reads the repository; writes nothing below it. */
export async function checkBranches(
  asked: CheckRequest,
): Promise<CheckOutcome & { readonly stages: readonly StageTime[] }> {
  const clock = new StageClock<Stage>();
  clock.begin('reading branches');
  const { repository, cacheDir } = asked;
  const maxBytes = asked.maxCacheBytes ?? defaultCacheBytes;
  const lender = asked.snapshots?.objectsDir ?? null;
  const scratch = await createScratch(repository, join(cacheDir, 'objects', repository.key), {
    beside: lender === null ? [] : [lender],
  });
  const settled = asked.onInterrupt?.(scratch.remove);
  const names = new ObjectReader(repository.git);
  const objects = new ObjectReader(scratch.git);
  const around = await surroundings(repository, scratch);
  const outcomes = new OutcomeStore(join(cacheDir, 'outcomes.db'), {
    surroundings: around,
    maxBytes: maxBytes / 4,
  });
  try {
    const snapshots = asked.snapshots ?? snapshotsIn(repository, scratch);
    const workspace = { repository, scratch, names, objects, snapshots };
    asked.progress?.('reading branches');
    const lackedBefore = await stillLacking(outcomes, objects, repository);
    outcomes.knowLacking(lackedBefore);
    const base = await nameBase(workspace, asked);
    const settings = await asked.settingsOf?.(
      base,
      (paths) => topFiles(workspace, outcomes, base, paths),
      filesOfCommit(scratch.git, base.commit),
    );
    const request = { ...asked, ...settings };
    const { tips, older } = await nameNewestTips(workspace, base, {
      ...request,
      newest: asked.newest ?? null,
    });
    if (older > 0) asked.onLeftOut?.({ taken: tips.length, older });
    const named = { base, tips, older, stable: await stableNames(repository, [base, ...tips]) };
    const question = reportQuestion(named, request);
    const known = question && readKnown(outcomes.read([question])[0]);
    if (known) return { ...known, stages: clock.finish() };
    objects.close();
    scratch.own.write();
    // Parsers, linker and rules process untrusted code, on a thread that can be terminated at any time.
    const { lacking, isFinal, looked, ...outcome } = await examineApart(
      {
        repository: withoutGit(repository),
        scratchDir: scratch.dir,
        named,
        asked: valuesOf(request),
        surroundings: around,
        lacking: lackingNow(lackedBefore, objects.missing) ?? lackedBefore,
        maxBytes,
      },
      { ...asked, stage: (name) => clock.begin(name) },
    );
    if (lacking !== null) {
      if (question && isFinal)
        outcomes.remember(question, { report: outcome.report, frames: [...outcome.frames], looked });
      rememberLacking(outcomes, repository, lackingNow(lackedBefore, lacking) ?? []);
      outcomes.keep(lacking);
    }
    return { ...outcome, stages: clock.finish() };
  } finally {
    names.close();
    objects.close();
    outcomes.close();
    await scratch.remove();
    settled?.();
  }
}

/** In `src` the thread is in a folder next to this file; in `dist` all programs are in one folder. */
const program = new URL(
  import.meta.url.endsWith('.ts') ? './examine/examine-thread.ts' : './examine-thread.js',
  import.meta.url,
);

async function examineApart(
  input: ExamineRequest,
  around: Pick<CheckRequest, 'progress' | 'onInterrupt'> & { readonly stage: (name: Stage) => void },
): Promise<Answered> {
  const { progress, onInterrupt, stage } = around;
  const tell = (told: ToldByThread) => {
    if ('stage' in told) stage(told.stage);
    progress?.('stage' in told ? told.stage : told.progress);
  };
  const thread = startThread<Answered, ToldByThread>(program, input, { tell });
  const settled = onInterrupt?.(() => thread.end());
  try {
    return await thread.answer;
  } finally {
    settled?.();
  }
}

function withoutGit({ git: _, ...repository }: Repository): Omit<Repository, 'git'> {
  return repository;
}

function valuesOf({
  repository: _,
  settingsOf: __,
  progress: ___,
  onInterrupt: ____,
  onLeftOut: ______,
  snapshots: _____,
  ...values
}: CheckRequest): ExamineRequest['asked'] {
  return values;
}

/** Files at the root of base. They are cached: a check with a cached report starts no git process for them. */
async function topFiles(
  { objects, repository }: Workspace,
  outcomes: OutcomeStore,
  { commit }: BranchTip,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const question = ['files', commit, paths];
  const [known] = outcomes.read([question]) as [[string, string][] | undefined];
  if (known) return new Map(known);
  const files = await readTopFiles(objects, commit, repository.objectFormat, paths);
  outcomes.remember(question, [...files]);
  return files;
}

/** What every answer depends on: this build of Joinery, git, and how much history the clone has. */
async function surroundings(repository: Repository, scratch: Scratch): Promise<string> {
  const shallow = join(repository.commonDir, 'shallow');
  const history = existsSync(shallow) ? createHash('sha256').update(readFileSync(shallow)).digest('hex') : '';
  return `${ownBuild()}, ${gitIdentity() ?? (await scratch.git.text(['version']))}, ${history}`;
}

/** Everything a report depends on, but for what it looks at outside git; null when code of branches runs, which may do anything. */
function reportQuestion(
  named: { readonly base: BranchTip; readonly tips: readonly BranchTip[] },
  { confirm, running, policy, pythonRoots, today, wantsRisk }: CheckRequest,
): Question | null {
  if (running) return null;
  const isTyped = confirm !== undefined && confirm.by !== 'none';
  const judged = isTyped ? [confirm, checkerEnvironment()] : [];
  const expires = policy?.ignore.some((entry) => entry.expires !== undefined);
  const day = expires ? today : null;
  return ['report', named, pythonRoots ?? [], policy ?? null, day, wantsRisk === true, ...judged];
}

function readKnown(answer: unknown): CheckOutcome | null {
  if (answer === undefined) return null;
  const { report, frames, looked } = answer as Pick<CheckOutcome, 'report'> & {
    readonly frames: readonly (readonly [string, NonNullable<ReturnType<Frames['get']>>])[];
    readonly looked: readonly Seen[];
  };
  if (!isAsSeen(looked)) return null;
  return {
    isKnown: true,
    report,
    frames: new Map(frames),
    reads: { extracted: 0, cached: 0 },
    checkerRuns: 0,
    checkerSeconds: 0,
    testRuns: 0,
  };
}
