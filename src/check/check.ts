import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTopFiles } from '#git/files-at.ts';
import { ObjectReader } from '#git/object-reader.ts';
import type { Repository } from '#git/repository.ts';
import { createScratch, type Scratch } from '#git/scratch.ts';
import { loadWhole } from '#lib/compiler.ts';
import { ownBuild } from '#process/own-build.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type { Frames } from '#schema/frame.ts';
import { type BranchTip, nameBase, nameTips, type Workspace } from './branches/branch-tips.ts';
import { LostAnswer, OutcomeStore, type Question } from './cache/outcome-store.ts';
import type { Policy } from './findings/policy.ts';
import type { ConfirmOptions } from './typecheck/confirm.ts';

export interface CheckRequest {
  readonly repository: Repository;
  /** null: the repository's default branch. */
  readonly base: string | null;
  /** Empty: all unmerged local branches and linked worktrees. */
  readonly branches: readonly string[];
  /** Commits that names stand for, where it is not what they stand for now. */
  readonly commits?: ReadonlyMap<string, string>;
  readonly cacheDir: string;
  readonly maxCacheBytes?: number;
  readonly pythonRoots?: readonly string[];
  readonly policy?: Policy;
  readonly confirm?: Pick<ConfirmOptions, 'by' | 'demanded' | 'timeLimitMs'>;
  /** What base itself says of these: it counts. `read` gives files at its top. */
  readonly settingsOf?: (
    base: BranchTip,
    read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  ) => Promise<Pick<CheckRequest, 'branches' | 'pythonRoots' | 'policy' | 'confirm'>>;
  /** Decides which ignore entries have expired: 2026-12-31. */
  readonly today: string;
  readonly progress?: (text: string) => void;
  /** Registers what has to be put away when the process is interrupted; returns how to take it off again. */
  readonly onInterrupt?: (cleanup: () => Promise<void>) => () => void;
}

export interface CheckOutcome {
  /** The report was found in the cache: nothing was looked at but names and commits. */
  readonly isKnown: boolean;
  readonly report: CheckReport;
  readonly frames: Frames;
  /** Facts extracted and found in the cache: differs from run to run, so it is not part of the report. */
  readonly reads: { readonly extracted: number; readonly cached: number };
  /** Checker runs, for the same reason. */
  readonly checkerRuns: number;
  /** CPU time of those runs. */
  readonly checkerSeconds: number;
}

const defaultCacheBytes = 2 * 1024 * 1024 * 1024;

/** Do these branches fit together? Reads the repository; writes nothing below it. */
export async function checkBranches(asked: CheckRequest): Promise<CheckOutcome> {
  const { repository, cacheDir } = asked;
  const maxBytes = asked.maxCacheBytes ?? defaultCacheBytes;
  const scratch = await createScratch(repository, join(cacheDir, 'objects', repository.key));
  const settled = asked.onInterrupt?.(scratch.remove);
  const names = new ObjectReader(repository.git);
  const objects = new ObjectReader(scratch.git);
  const outcomes = new OutcomeStore(join(cacheDir, 'outcomes.db'), {
    surroundings: await surroundings(repository, scratch),
    maxBytes: maxBytes / 4,
  });
  try {
    const workspace = { repository, scratch, names, objects };
    asked.progress?.('reading branches');
    const base = await nameBase(workspace, asked);
    const settings = await asked.settingsOf?.(base, (paths) => topFiles(workspace, outcomes, base, paths));
    const request = { ...asked, ...settings };
    const named = { base, tips: await nameTips(workspace, base, request) };
    const question = reportQuestion(named, request);
    const known = question && readKnown(outcomes.read([question])[0]);
    if (known) return known;
    // Parsers, linker and rules are loaded only when there is something to find out.
    const { examineBranches } = await loadWhole(() => import('./examine/examine.ts'));
    const examine = () =>
      examineBranches(workspace, named, outcomes, { ...request, maxFactsBytes: maxBytes - maxBytes / 4 });
    const outcome = await examine().catch((error: unknown) => {
      if (!(error instanceof LostAnswer)) throw error;
      outcomes.forget();
      return examine();
    });
    if (question && isFinal(outcome.report))
      outcomes.remember(question, { report: outcome.report, frames: [...outcome.frames] });
    // What was concluded without content that this clone lacks may come out otherwise the next time.
    if (!objects.sawMissing) outcomes.keep();
    return outcome;
  } finally {
    names.close();
    objects.close();
    outcomes.close();
    await scratch.remove();
    settled?.();
  }
}

/** Files at the top of base. They are kept: a check whose report is known starts no git to read them. */
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
  return `${ownBuild()}, ${await scratch.git.text(['version'])}, ${history}`;
}

/** All that a report depends on; null when it depends on more than can be named here: installed packages, compilers. */
function reportQuestion(
  named: { readonly base: BranchTip; readonly tips: readonly BranchTip[] },
  { confirm, policy, pythonRoots, today }: CheckRequest,
): Question | null {
  if (confirm !== undefined && confirm.by !== 'none') return null;
  const expires = policy?.ignore.some((entry) => entry.expires !== undefined);
  return ['report', named, pythonRoots ?? [], policy ?? null, expires ? today : null];
}

/** A report that lacks something may come out whole the next time. */
function isFinal({ inconclusive, degraded }: CheckReport): boolean {
  return inconclusive.length === 0 && !degraded.some(({ check }) => check === 'cache');
}

function readKnown(answer: unknown): CheckOutcome | null {
  if (answer === undefined) return null;
  const { report, frames } = answer as Pick<CheckOutcome, 'report'> & {
    frames: readonly (readonly [string, NonNullable<ReturnType<Frames['get']>>])[];
  };
  return {
    isKnown: true,
    report,
    frames: new Map(frames),
    reads: { extracted: 0, cached: 0 },
    checkerRuns: 0,
    checkerSeconds: 0,
  };
}
