import { thisHost } from '#app/host.ts';
import { replayFinding } from '#app/replay.ts';
import { readEarlier } from '#app/report-history.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { loadConfig } from '#config/read-config.ts';
import { openRepository } from '#git/repository.ts';
import { renderReplay } from '#report/check/replay.ts';
import type { Finding } from '#schema/check-report.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { cacheDir, stateDir } from '#schema/paths.ts';
import type { replayTable } from './replay.table.ts';

const outcomes = {
  confirmed: exitCodes.ok,
  not_reproduced: exitCodes.findings,
  inconclusive: exitCodes.needsPerson,
} as const;

export const run: Run<typeof replayTable> = async (invocation) => {
  const { options, positionals, cwd, env, terminal, globals, onInterrupt } = invocation;
  const repository = await openRepository(cwd);
  const { values } = await loadConfig({ root: repository.workTree, env });
  const state = stateDir(thisHost(env), repository.commonDir);
  const { report } = await readEarlier(options.report, state, cwd, '--report');
  const finding = chooseFinding(positionals[0] ?? '', report.findings);
  const { replay, frames } = await replayFinding(report, finding, {
    repository,
    cacheDir: cacheDir(thisHost(env)),
    maxCacheBytes: values.cache.maxBytes,
    pythonRoots: values.python.roots,
    timeLimitMs: values.checkers.timeoutSeconds * 1000,
    progress: terminal.progress,
    onInterrupt,
  });
  terminal.settle();
  if (globals.json) terminal.printJson(replay);
  else terminal.print(renderReplay(replay, frames, pageOf(terminal, env)));
  return outcomes[replay.proof];
};

function chooseFinding(prefix: string, findings: readonly Finding[]): Finding {
  const found = findings.filter(({ id }) => id.startsWith(prefix));
  const [only] = found;
  if (only && (found.length === 1 || only.id === prefix)) return only;
  const named = (some: readonly Finding[]) =>
    some
      .slice(0, 5)
      .map(({ id }) => id)
      .join(', ');
  throw new UsageError(
    only
      ? {
          code: 'ambiguous-finding',
          message: `${found.length} findings begin with ${JSON.stringify(prefix)}`,
          hint: `name one in full: ${named(found)}`,
        }
      : {
          code: 'unknown-finding',
          message: `the report has no finding ${JSON.stringify(prefix)}`,
          hint: findings.length > 0 ? `it has ${named(findings)}` : 'it has none at all',
        },
  );
}
