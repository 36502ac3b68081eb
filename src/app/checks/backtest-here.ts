import { join } from 'node:path';
import { thisHost } from '#app/workplace/host.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { type CheckRequest, checkBranches } from '#check/check.ts';
import { loadConfig } from '#config/read-config.ts';
import { openRepository } from '#git/call/repository.ts';
import { type MergeCommit, mergedTree, mergesInto } from '#git/merges/merge-commits.ts';
import { createScratch, type Scratch } from '#git/objects/scratch.ts';
import { defaultBranch, resolveOneRef } from '#git/refs/refs.ts';
import type { BacktestMerge, BacktestReport } from '#schema/backtest.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { isJoineryError } from '#schema/errors.ts';
import { cacheDir } from '#schema/paths.ts';
import { gapIn, holdsBack } from '#schema/verdict.ts';
import { repairOf } from './repair-of.ts';

/** How many commits after a merge are searched for a repair of what it broke. */
const within = 30;

interface BacktestWishes {
  /** How many merges, the newest first. */
  readonly last: number;
  /** The branch whose merges are replayed; null: the default branch. */
  readonly base: string | null;
}

/** For each of the last merges: what `check` would have reported before it, and what later commits repaired. */
export async function backtestHere(
  { cwd, env, terminal, onInterrupt }: Surroundings,
  { last, base: wanted }: BacktestWishes,
): Promise<BacktestReport> {
  const repository = await openRepository(cwd);
  const { values } = await loadConfig({ root: repository.workTree, env });
  const name = wanted ?? values.base ?? (await defaultBranch(repository));
  const { ref, commit } = await resolveOneRef(repository, name);
  if (repository.isShallow)
    terminal.warn('this is a shallow clone: older merges are not seen; fetch them: git fetch --unshallow');
  const { merges, line } = await mergesInto(repository.git, commit, last);
  const cache = cacheDir(thisHost(env));
  const scratch = await createScratch(repository, join(cache, 'objects', repository.key));
  const forget = onInterrupt(scratch.remove);
  try {
    const replayed: BacktestMerge[] = [];
    for (const [index, merge] of merges.entries()) {
      terminal.progress(`merge ${index + 1} of ${merges.length}: ${merge.commit.slice(0, 12)}`);
      const at = line.indexOf(merge.commit);
      replayed.push(
        await replayMerge(merge, {
          ref,
          scratch,
          next: line.slice(Math.max(0, at - within), at).reverse(),
          check: {
            repository,
            cacheDir: cache,
            maxCacheBytes: values.cache.maxBytes,
            pythonRoots: values.python.roots,
            policy: values,
            confirm: { by: 'none', demanded: false, timeLimitMs: 0 },
            today: new Date().toISOString().slice(0, 10),
            onInterrupt,
          },
        }),
      );
    }
    return {
      schema: 'joinery/backtest@1',
      base: { ref, commit },
      within,
      merges: replayed,
      totals: totalsOf(replayed),
    };
  } finally {
    await scratch.remove();
    forget();
  }
}

interface Place {
  readonly ref: string;
  readonly scratch: Scratch;
  /** The commits after the merge, in their order. */
  readonly next: readonly string[];
  readonly check: Omit<CheckRequest, 'base' | 'branches' | 'commits'>;
}

async function replayMerge(
  { commit, parents, date, subject }: MergeCommit,
  { ref, scratch, next, check }: Place,
): Promise<BacktestMerge> {
  const started = performance.now();
  const [before = '', ...merged] = parents;
  const known = { commit, parents: [...parents], date, subject };
  const nothing = { isBlocked: false, isEdited: false, findings: [], reason: '' };
  const ended = () => Math.round(performance.now() - started) / 1000;
  try {
    if (await isAlone(scratch, before, merged))
      return { ...known, ...nothing, outcome: 'alone', seconds: ended() };
    const names = merged.map((id) => id.slice(0, 12));
    const { report } = await checkBranches({
      ...check,
      base: ref,
      branches: names,
      commits: new Map([[ref, before], ...merged.map((id, index) => [names[index] ?? id, id] as const)]),
    });
    const union = merged.length === 1 ? await mergedTree(scratch.git, before, merged[0] ?? '') : null;
    const tree = await scratch.git.text(['rev-parse', `${commit}^{tree}`]);
    const shown = report.findings.filter(
      ({ rule, severity, effect }) =>
        rule !== 'T01' && (holdsBack({ effect }) || (effect === 'shown' && severity === 'important')),
    );
    const findings = [];
    for (const { id, rule, severity, confidence, effect, message, sites } of shown) {
      const repair = await repairOf(sites, { git: scratch.git, union: union?.tree ?? null, commit, next });
      findings.push({ id, rule, severity, confidence, effect, message, sites, ...repair });
    }
    return {
      ...known,
      outcome: outcomeOf(report, findings.length),
      isBlocked: findings.some(holdsBack),
      isEdited: union?.isClean === true && union.tree !== tree,
      seconds: ended(),
      findings,
      reason:
        report.inconclusive.map(({ file, check: name, reason }) => `${file ?? name}: ${reason}`)[0] ?? '',
    };
  } catch (error) {
    // One merge that cannot be replayed (unrelated histories, for example) does not stop the others.
    if (!isJoineryError(error)) throw error;
    return { ...known, ...nothing, outcome: 'failed', seconds: ended(), reason: error.message };
  }
}

/** The branch added no commit that the merged side lacks, so nothing could clash. */
async function isAlone({ git }: Scratch, before: string, merged: readonly string[]): Promise<boolean> {
  if (merged.length !== 1) return false;
  const args = ['merge-base', '--is-ancestor', before, merged[0] ?? ''];
  return (await git.run(args, { accept: [0, 1] })).code === 0;
}

function outcomeOf(report: CheckReport, findings: number): BacktestMerge['outcome'] {
  if (findings > 0) return 'findings';
  if (report.findings.some(({ rule }) => rule === 'T01')) return 'conflict';
  return gapIn(report) === null ? 'fits' : 'inconclusive';
}

function totalsOf(merges: readonly BacktestMerge[]): BacktestReport['totals'] {
  const count = (holds: (merge: BacktestMerge) => boolean) => merges.filter(holds).length;
  const withOutcome = (...outcomes: BacktestMerge['outcome'][]) =>
    count(({ outcome }) => outcomes.includes(outcome));
  return {
    merges: merges.length,
    alone: withOutcome('alone'),
    fits: withOutcome('fits'),
    findings: withOutcome('findings'),
    blocked: count(({ isBlocked }) => isBlocked),
    repaired: count(({ findings }) => findings.some(({ repairedBy }) => repairedBy !== null)),
    conflict: withOutcome('conflict'),
    inconclusive: withOutcome('inconclusive', 'failed'),
    edited: count(({ isEdited }) => isEdited),
    seconds: Math.round(merges.reduce((sum, { seconds }) => sum + seconds, 0) * 10) / 10,
  };
}
