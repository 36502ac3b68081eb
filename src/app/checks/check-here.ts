import { thisHost } from '#app/workplace/host.ts';
import { projectBase } from '#app/workplace/project-base.ts';
import { rememberRepository } from '#app/workplace/remember-repository.ts';
import { stateOf } from '#app/workplace/state-of.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { type CheckOutcome, checkBranches, judgingBy } from '#check/check.ts';
import { compareReports } from '#check/findings/delta.ts';
import { noPolicy, type Policy } from '#check/findings/policy.ts';
import { configAt, judgingWarnings } from '#config/judging-config.ts';
import { type LoadedConfig, loadConfig, type Override } from '#config/read-config.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { defaultBranch, isRefPattern, unmergedRemoteBranches } from '#git/refs/refs.ts';
import type { Snapshots } from '#git/worktrees/snapshots.ts';
import type { StageTime } from '#lib/stage-clock.ts';
import { confirmList } from '#schema/confirm.ts';
import { cacheDir } from '#schema/paths.ts';
import type { Acceptance } from '#schema/verdict.ts';
import { isSameBase, passedOverBase } from './passed-over-base.ts';
import { type Earlier, readEarlier, rememberReport } from './report-history.ts';
import { witnessHere } from './witness-here.ts';

export interface CheckWishes {
  /** Base and branches as typed; with `hasBase` all of them are branches. */
  readonly names: readonly string[];
  /** The base was named by an option. */
  readonly hasBase: boolean;
  /** `last`, or the path of a JSON report. */
  readonly against: string | undefined;
  /** How many branches to take that were not named one by one, those with the newest commits; null: all. */
  readonly newest?: number | null;
  readonly flags: readonly Override[];
  /** Findings that the person accepts for this answer. */
  readonly accept?: readonly Acceptance[];
  /** Include seam risk in the report. */
  readonly wantsRisk?: boolean;
  /** Command put before each command that runs code of branches: `bwrap …`, as typed. */
  readonly sandbox?: string | undefined;
  /** Code of branches runs only if a person at a command line allows it, by option or settings. */
  readonly mayRunCode?: boolean;
  /** Adds a model's opinion. It always receives seam risk, even if the report does not include it. */
  readonly opine?: (outcome: CheckOutcome, policy: Policy) => Promise<CheckOutcome>;
  /** False: the report is not stored for `--against last`. */
  readonly isRemembered?: boolean;
  /** Snapshots of worktrees from an earlier check. */
  readonly snapshots?: Snapshots;
}

/** Branches far behind base take about a second each. More of them are checked on request. */
const usualBranches = 100;

export interface CheckAnswer extends CheckOutcome {
  readonly stages: readonly StageTime[];
  readonly seconds: number;
  /** Type checkers were demanded: the command line also prints what they cost. */
  readonly demandsTypes: boolean;
  /** Builds or tests of the branches were demanded: code of branches runs. */
  readonly runsTests: boolean;
  /** The repository has no checkout. */
  readonly isBare: boolean;
  /** The default branch, if the first of several names was taken as the base instead. */
  readonly passedOver: string | null;
}

/** Checks branches of this repository, with settings, cache and the report of the last check. */
export async function checkHere(
  { cwd, env, terminal, onInterrupt }: Surroundings,
  wishes: CheckWishes,
): Promise<CheckAnswer> {
  const { names, against, flags, wantsRisk = false, isRemembered = true, opine } = wishes;
  const { accept = [] } = wishes;
  const { sandbox, mayRunCode = false, snapshots } = wishes;
  const repository = await openRepository(cwd, names);
  const config = await loadConfig({ root: repository.workTree, env, flags });
  for (const warning of config.warnings) terminal.warn(warning);
  let demandsTypes = false;
  let runsTests = false;
  const state = stateOf(env, repository.commonDir);
  const earlier = against === undefined ? null : await readEarlier(against, state, cwd);
  const { base, branches } = await namedIn(repository, config, wishes, { env, terminal });
  let policy = noPolicy;
  const started = process.uptime();
  const checked = await checkBranches({
    repository,
    base,
    branches,
    newest: wishes.newest === undefined ? usualBranches : wishes.newest,
    onLeftOut: ({ taken, older }) =>
      terminal.warn(
        `${taken + older} branches: checking the ${taken} with the newest commits; --newest <n> takes more, --newest all takes all`,
      ),
    wantsRisk: wantsRisk || opine !== undefined,
    ...(snapshots ? { snapshots } : {}),
    cacheDir: cacheDir(thisHost(env)),
    maxCacheBytes: config.values.cache.maxBytes,
    async settingsOf(base, read, files) {
      const judging = await configAt(base.commit, read, { env, flags });
      for (const warning of judgingWarnings(config, judging, base.ref)) terminal.warn(warning);
      const { values } = judging;
      policy = { ...values, accept };
      const ways = confirmList(values.confirm).filter((way) => mayRunCode || way === 'types');
      runsTests = ways.some((way) => way !== 'types');
      demandsTypes = judging.origin('confirm').kind !== 'default' && ways.includes('types');
      return {
        branches: branches.length > 0 ? branches : (values.branches ?? []),
        ...judgingBy(values, demandsTypes),
        policy,
        running: await witnessHere(
          { cwd, env, terminal },
          { ways, config: values, commit: base.commit, files, sandbox },
        ),
      };
    },
    today: new Date().toISOString().slice(0, 10),
    progress: terminal.progress,
    onInterrupt,
  });
  const seconds = process.uptime() - started;
  const outcome = opine ? withoutUnasked(await opine(checked, policy), wantsRisk) : checked;
  if (names.length === 0 && outcome.report.branches.length === 0)
    await pointToRemotes(repository, outcome.report.base.commit, terminal);
  if (isRemembered) {
    rememberReport(state, outcome.report, outcome.frames);
    rememberRepository(state, repository);
  }
  return {
    ...withDelta(outcome, earlier),
    stages: checked.stages,
    seconds,
    demandsTypes,
    runsTests,
    isBare: repository.workTree === null,
    passedOver: await passedOverBase(repository, config, wishes, outcome.report.base),
  };
}

/** The override that `--base` would set; every other name is then a branch. */
export function baseOverride(base: string): Override {
  return { key: 'base', value: base, origin: { kind: 'flag', name: '--base' }, isChecked: false };
}

/** Splits the names on the command line into the base (null: the default branch) and the branches. */
export async function namedIn(
  repository: Repository,
  config: LoadedConfig,
  { names, hasBase, flags }: Pick<CheckWishes, 'names' | 'hasBase' | 'flags'>,
  { env, terminal }: Pick<Surroundings, 'env' | 'terminal'>,
): Promise<{ readonly base: string | null; readonly branches: readonly string[] }> {
  const firstIsBase = !hasBase && (await startsWithBase(repository, names, config.values.base));
  return firstIsBase
    ? { base: names[0] ?? null, branches: names.slice(1) }
    : { base: await projectBase(repository, config, { env, flags }, terminal.warn), branches: names };
}

function withoutUnasked(outcome: CheckOutcome, wantsRisk: boolean): CheckOutcome {
  if (wantsRisk) return outcome;
  const { risk: _, ...report } = outcome.report;
  return { ...outcome, report };
}

/** In a fresh clone all work is on remote branches, which are only checked on request: say so. */
async function pointToRemotes(
  repository: Repository,
  base: string,
  terminal: Surroundings['terminal'],
): Promise<void> {
  const count = await unmergedRemoteBranches(repository, base);
  if (count === 0) return;
  const found = count === 1 ? '1 remote one' : `${count} remote ones`;
  terminal.warn(`no unmerged local branches, but ${found}: joinery check 'origin/*'`);
}

/** A single name is a branch, unless it is the default base; a pattern is never a base. */
async function startsWithBase(
  repository: Repository,
  [first, ...others]: readonly string[],
  configured: string | undefined,
): Promise<boolean> {
  if (first === undefined || isRefPattern(first)) return false;
  if (others.length > 0) return true;
  return isSameBase(first, configured ?? (await defaultBranch(repository)));
}

/** Adds what changed since an earlier report, if there is one. */
function withDelta(outcome: CheckOutcome, earlier: Earlier | null): CheckOutcome {
  if (!earlier) return outcome;
  const delta = compareReports(earlier.report, outcome.report, earlier.fixed);
  const { risk, opinion, inconclusive, degraded, coverage, checkers, stats, ...found } = outcome.report;
  const rest = {
    ...(risk ? { risk } : {}),
    ...(opinion ? { opinion } : {}),
    inconclusive,
    degraded,
    ...(coverage ? { coverage } : {}),
    ...(checkers ? { checkers } : {}),
    stats,
  };
  return { ...outcome, report: { ...found, delta, ...rest } };
}
