import { thisHost } from '#app/workplace/host.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { type CheckOutcome, checkBranches } from '#check/check.ts';
import { compareReports } from '#check/findings/delta.ts';
import { configAt, judgingWarnings } from '#config/judging-config.ts';
import { loadConfig, type Override } from '#config/read-config.ts';
import { openRepository } from '#git/repository.ts';
import { collectForShortRuns } from '#lib/collector.ts';
import { cacheDir, stateDir } from '#schema/paths.ts';
import { type Earlier, readEarlier, rememberReport } from './report-history.ts';

export interface CheckWishes {
  /** Base and branches as typed; with `hasBase` all of them are branches. */
  readonly names: readonly string[];
  /** The base was named by an option. */
  readonly hasBase: boolean;
  /** `last`, or the path of a JSON report. */
  readonly against: string | undefined;
  readonly flags: readonly Override[];
}

export interface CheckAnswer extends CheckOutcome {
  /** Important findings count as failures too. */
  readonly isStrict: boolean;
  readonly seconds: number;
  /** Somebody asked for type checkers, and so for what they cost. */
  readonly demandsTypes: boolean;
}

/** Checks branches of the repository here: settings, cache and the report of the last check included. */
export async function checkHere(
  { cwd, env, terminal, onInterrupt }: Surroundings,
  { names, hasBase, against, flags }: CheckWishes,
): Promise<CheckAnswer> {
  collectForShortRuns();
  const repository = await openRepository(cwd, names);
  const config = await loadConfig({ root: repository.workTree, env, flags });
  for (const warning of config.warnings) terminal.warn(warning);
  let isStrict = false;
  let demandsTypes = false;
  const state = stateDir(thisHost(env), repository.commonDir);
  const earlier = against === undefined ? null : await readEarlier(against, state, cwd);
  const firstIsBase = !hasBase && names.length > 0;
  const branches = firstIsBase ? names.slice(1) : names;
  const started = process.uptime();
  const outcome = await checkBranches({
    repository,
    base: firstIsBase ? (names[0] ?? null) : (config.values.base ?? null),
    branches,
    cacheDir: cacheDir(thisHost(env)),
    maxCacheBytes: config.values.cache.maxBytes,
    async settingsOf(base, read) {
      const judging = await configAt(base.commit, read, { env, flags });
      for (const warning of judgingWarnings(config, judging, base.ref)) terminal.warn(warning);
      const { values } = judging;
      isStrict = values.strict;
      demandsTypes = judging.origin('confirm').kind !== 'default';
      return {
        branches: branches.length > 0 ? branches : (values.branches ?? []),
        pythonRoots: values.python.roots,
        policy: values,
        confirm: {
          by: values.confirm,
          demanded: demandsTypes,
          timeLimitMs: values.checkers.timeoutSeconds * 1000,
        },
      };
    },
    today: new Date().toISOString().slice(0, 10),
    progress: terminal.progress,
    onInterrupt,
  });
  const seconds = process.uptime() - started;
  rememberReport(state, outcome.report);
  return { ...withDelta(outcome, earlier), isStrict, seconds, demandsTypes };
}

/** With what changed since an earlier report, when there is one to compare with. */
function withDelta(outcome: CheckOutcome, earlier: Earlier | null): CheckOutcome {
  if (!earlier) return outcome;
  const delta = compareReports(earlier.report, outcome.report, earlier.fixed);
  const { inconclusive, degraded, coverage, checkers, stats, ...found } = outcome.report;
  const rest = {
    inconclusive,
    degraded,
    ...(coverage ? { coverage } : {}),
    ...(checkers ? { checkers } : {}),
    stats,
  };
  return { ...outcome, report: { ...found, delta, ...rest } };
}
