import { appendFileSync } from 'node:fs';
import { openRepository } from '../../git/repository.ts';
import type { CheckReport } from '../../model/check-report.ts';
import { type ExitCode, exitCodes } from '../../model/exit-codes.ts';
import { cacheDir, stateDir } from '../../model/paths.ts';
import { renderGithub, renderGithubSummary } from '../../report/github.ts';
import { renderJson } from '../../report/json.ts';
import { renderJunit } from '../../report/junit.ts';
import { renderMarkdown } from '../../report/markdown.ts';
import { renderSarif } from '../../report/sarif.ts';
import { renderTerminal } from '../../report/terminal.ts';
import { type CheckOutcome, checkBranches } from '../../seams/check.ts';
import { compareReports } from '../../seams/delta.ts';
import { flagsOf, loadConfig } from '../config.ts';
import { thisHost } from '../host.ts';
import type { Invocation, Run } from '../invocation.ts';
import { readOwnPackage } from '../own-package.ts';
import { pageOf } from '../page.ts';
import { readEarlier, rememberReport } from '../report-history.ts';
import { checkTable } from './check.table.ts';

type CheckInvocation = Invocation<typeof checkTable>;

export const run: Run<typeof checkTable> = async (invocation) => {
  const { options, positionals, cwd, env, terminal, onInterrupt } = invocation;
  const repository = await openRepository(cwd);
  const config = loadConfig({ root: repository.workTree, env, flags: flagsOf(checkTable, options) });
  for (const warning of config.warnings) terminal.warn(warning);
  const { values } = config;
  const state = stateDir(thisHost(env), repository.commonDir);
  const earlier = options.against === undefined ? null : readEarlier(options.against, state, cwd);
  const firstIsBase = options.base === undefined && positionals.length > 0;
  const branches = firstIsBase ? positionals.slice(1) : positionals;
  const started = performance.now();
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
      demanded: config.origins.get('confirm')?.kind !== 'default',
      timeLimitMs: values.checkers.timeoutSeconds * 1000,
    },
    today: new Date().toISOString().slice(0, 10),
    progress: terminal.progress,
    onInterrupt,
  });
  terminal.settle();
  if (options.stats) process.stderr.write(`${describeCost(outcome, performance.now() - started)}\n`);
  rememberReport(state, outcome.report);
  const report = earlier
    ? { ...outcome.report, delta: compareReports(earlier.report, outcome.report, earlier.fixed) }
    : outcome.report;
  terminal.print(render({ ...outcome, report }, invocation));
  return exitCodeOf(outcome.report, values.strict);
};

function describeCost({ reads, checkerRuns }: CheckOutcome, ms: number): string {
  return `${(ms / 1000).toFixed(2)} s, ${reads.extracted} files parsed, ${reads.cached} from the cache, ${checkerRuns} checker runs`;
}

function render({ report, frames }: CheckOutcome, invocation: CheckInvocation): string {
  const { options, globals, env } = invocation;
  switch (globals.json ? 'json' : options.format) {
    case 'json':
      return renderJson(report);
    case 'sarif':
      return renderSarif(report, { version: readOwnPackage().version });
    case 'github':
      if (env.GITHUB_STEP_SUMMARY)
        appendSummary(env.GITHUB_STEP_SUMMARY, renderGithubSummary(report, frames), invocation.terminal);
      return renderGithub(report);
    case 'markdown':
      return renderMarkdown(report, frames);
    case 'junit':
      return renderJunit(report);
    case 'terminal': {
      const { terminal } = invocation;
      return renderTerminal(report, frames, { ...pageOf(terminal, env), verbose: globals.verbose === true });
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
