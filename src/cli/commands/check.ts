import { appendFileSync } from 'node:fs';
import { thisHost } from '#app/host.ts';
import { readOwnPackage } from '#app/own-package.ts';
import { type Earlier, readEarlier, rememberReport } from '#app/report-history.ts';
import { type CheckOutcome, checkBranches } from '#check/check.ts';
import { compareReports } from '#check/findings/delta.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { flagsOf, loadConfig } from '#config/read-config.ts';
import { openRepository } from '#git/repository.ts';
import { collectForShortRuns } from '#process/collector.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { cacheDir, stateDir } from '#schema/paths.ts';
import { checkTable } from './check.table.ts';

type CheckInvocation = Invocation<typeof checkTable>;

export const run: Run<typeof checkTable> = async (invocation) => {
  collectForShortRuns();
  const { options, positionals, cwd, env, terminal, onInterrupt } = invocation;
  const repository = await openRepository(cwd, positionals);
  const config = await loadConfig({ root: repository.workTree, env, flags: flagsOf(checkTable, options) });
  for (const warning of config.warnings) terminal.warn(warning);
  const { values } = config;
  const state = stateDir(thisHost(env), repository.commonDir);
  const earlier = options.against === undefined ? null : await readEarlier(options.against, state, cwd);
  const firstIsBase = options.base === undefined && positionals.length > 0;
  const branches = firstIsBase ? positionals.slice(1) : positionals;
  const started = process.uptime();
  const outcome = await checkBranches({
    repository,
    base: firstIsBase ? (positionals[0] ?? null) : (values.base ?? null),
    branches: branches.length > 0 ? branches : (values.branches ?? []),
    cacheDir: cacheDir(thisHost(env)),
    maxCacheBytes: values.cache.maxBytes,
    pythonRoots: values.python.roots,
    policy: values,
    confirm: {
      by: values.confirm,
      demanded: config.origin('confirm').kind !== 'default',
      timeLimitMs: values.checkers.timeoutSeconds * 1000,
    },
    today: new Date().toISOString().slice(0, 10),
    progress: terminal.progress,
    onInterrupt,
  });
  terminal.settle();
  if (options.stats) process.stderr.write(`${describeCost(outcome, process.uptime() - started)}\n`);
  terminal.print(await render(withDelta(outcome, earlier), invocation));
  rememberReport(state, outcome.report);
  return exitCodeOf(outcome.report, values.strict);
};

function describeCost({ isKnown, reads, checkerRuns }: CheckOutcome, seconds: number): string {
  if (isKnown) return `${seconds.toFixed(2)} s, the report was in the cache`;
  return `${seconds.toFixed(2)} s, ${reads.extracted} files parsed, ${reads.cached} from the cache, ${checkerRuns} checker runs`;
}

/** With what changed since an earlier report, when there is one to compare with. */
function withDelta(outcome: CheckOutcome, earlier: Earlier | null): CheckOutcome {
  if (!earlier) return outcome;
  const delta = compareReports(earlier.report, outcome.report, earlier.fixed);
  const { inconclusive, degraded, checkers, stats, ...found } = outcome.report;
  const rest = { inconclusive, degraded, ...(checkers ? { checkers } : {}), stats };
  return { ...outcome, report: { ...found, delta, ...rest } };
}

/** Only the format that is asked for is loaded. */
async function render({ report, frames }: CheckOutcome, invocation: CheckInvocation): Promise<string> {
  const { options, globals, env } = invocation;
  switch (globals.json ? 'json' : options.format) {
    case 'json': {
      const { renderJson } = await import('#report/text/json.ts');
      return renderJson(report);
    }
    case 'sarif': {
      const { renderSarif } = await import('#report/check/sarif.ts');
      return renderSarif(report, { version: readOwnPackage().version });
    }
    case 'github': {
      const { renderGithub, renderGithubSummary } = await import('#report/check/github.ts');
      if (env.GITHUB_STEP_SUMMARY)
        appendSummary(env.GITHUB_STEP_SUMMARY, renderGithubSummary(report, frames), invocation.terminal);
      return renderGithub(report);
    }
    case 'markdown': {
      const { renderMarkdown } = await import('#report/check/markdown.ts');
      return renderMarkdown(report, frames);
    }
    case 'junit': {
      const { renderJunit } = await import('#report/check/junit.ts');
      return renderJunit(report);
    }
    case 'terminal': {
      const { terminal } = invocation;
      const page = pageOf(terminal, env);
      const { renderTerminal } = await import('#report/check/terminal.ts');
      return renderTerminal(report, frames, { ...page, verbose: globals.verbose === true });
    }
  }
}

/** A summary that cannot be written does not take the annotations and the verdict with it. */
function appendSummary(file: string, text: string, terminal: CheckInvocation['terminal']): void {
  try {
    appendFileSync(file, text);
  } catch (error) {
    terminal.warn(`the step summary cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}

function exitCodeOf(report: CheckReport, strict: boolean): ExitCode {
  if (report.status === 'fail') return exitCodes.findings;
  if (strict && report.findings.some(({ severity }) => severity === 'important')) return exitCodes.findings;
  return report.status === 'inconclusive' ? exitCodes.needsPerson : exitCodes.ok;
}
