import { openRepository } from '../../git/repository.ts';
import type { CheckReport } from '../../model/check-report.ts';
import { type ExitCode, exitCodes } from '../../model/exit-codes.ts';
import { cacheDir } from '../../model/paths.ts';
import { checkBranches } from '../../seams/check.ts';
import { flagsOf, loadConfig } from '../config.ts';
import { thisHost } from '../host.ts';
import type { Run } from '../invocation.ts';
import { checkTable } from './check.table.ts';

export const run: Run<typeof checkTable> = async ({
  options,
  positionals,
  cwd,
  env,
  terminal,
  onInterrupt,
}) => {
  const repository = await openRepository(cwd);
  const config = loadConfig({ root: repository.workTree, env, flags: flagsOf(checkTable, options) });
  for (const warning of config.warnings) terminal.warn(warning);
  const { values } = config;
  const firstIsBase = options.base === undefined && positionals.length > 0;
  const branches = firstIsBase ? positionals.slice(1) : positionals;
  const started = performance.now();
  const { report, reads } = await checkBranches({
    repository,
    base: firstIsBase ? (positionals[0] ?? null) : (values.base ?? null),
    branches: branches.length > 0 ? branches : (values.branches ?? []),
    cacheDir: cacheDir(thisHost(env)),
    maxCacheBytes: values.cache.maxBytes,
    pythonRoots: values.python.roots,
    progress: terminal.progress,
    onInterrupt,
  });
  terminal.settle();
  if (options.stats) {
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    process.stderr.write(`${seconds} s, ${reads.extracted} files parsed, ${reads.cached} from the cache\n`);
  }
  terminal.printJson(report);
  return exitCodeOf(report, values.strict);
};

function exitCodeOf(report: CheckReport, strict: boolean): ExitCode {
  if (report.status === 'fail') return exitCodes.findings;
  if (strict && report.findings.some(({ severity }) => severity === 'important')) return exitCodes.findings;
  return report.status === 'inconclusive' ? exitCodes.needsPerson : exitCodes.ok;
}
