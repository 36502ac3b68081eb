import { thisHost } from '#app/workplace/host.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { loadConfig } from '#config/read-config.ts';
import { openRepository } from '#git/repository.ts';
import type { Finding } from '#schema/check-report.ts';
import { UsageError } from '#schema/errors.ts';
import type { Frames } from '#schema/frame.ts';
import { cacheDir, stateDir } from '#schema/paths.ts';
import type { ReplayReport } from '#schema/replay.ts';
import { replayFinding } from './replay.ts';
import { readEarlier } from './report-history.ts';

/** Looks again for a finding of an earlier report. `prefix`: of its id. */
export async function replayHere(
  { cwd, env, terminal, onInterrupt }: Surroundings,
  prefix: string,
  from: string,
): Promise<{ replay: ReplayReport; frames: Frames }> {
  const repository = await openRepository(cwd);
  const { values } = await loadConfig({ root: repository.workTree, env });
  const state = stateDir(thisHost(env), repository.commonDir);
  const { report } = await readEarlier(from, state, cwd, '--report');
  return replayFinding(report, chooseFinding(prefix, report.findings), {
    repository,
    cacheDir: cacheDir(thisHost(env)),
    maxCacheBytes: values.cache.maxBytes,
    pythonRoots: values.python.roots,
    timeLimitMs: values.checkers.timeoutSeconds * 1000,
    progress: terminal.progress,
    onInterrupt,
  });
}

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
