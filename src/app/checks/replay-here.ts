import { thisHost } from '#app/workplace/host.ts';
import { stateOf } from '#app/workplace/state-of.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { WitnessSettings } from '#check/witness/witness-settings.ts';
import { configAt } from '#config/judging-config.ts';
import { loadConfig } from '#config/read-config.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { filesOfCommit } from '#git/trees/files-at.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import { UsageError } from '#schema/errors.ts';
import type { Frames } from '#schema/frame.ts';
import { cacheDir } from '#schema/paths.ts';
import type { ReplayReport } from '#schema/replay.ts';
import { replayFinding, shownByRunning } from './replay.ts';
import { readEarlier } from './report-history.ts';
import { witnessHere } from './witness-here.ts';

/** Looks again for a finding of an earlier report. `prefix`: the beginning of the finding's id. */
export async function replayHere(
  { cwd, env, terminal, onInterrupt }: Surroundings,
  prefix: string,
  from: string,
): Promise<{ replay: ReplayReport; frames: Frames }> {
  const repository = await openRepository(cwd);
  const { values } = await loadConfig({ root: repository.workTree, env });
  const state = stateOf(env, repository.commonDir);
  const { report } = await readEarlier(from, state, cwd, '--report');
  const finding = chooseFinding(prefix, report.findings);
  if (finding.decidedBy === 'agent') {
    throw new UsageError({
      code: 'an-opinion',
      message: `${finding.id} is the opinion of a model: there is nothing that code could show again`,
      hint: 'ask again: joinery check --agent <name>',
    });
  }
  const way = shownByRunning(finding);
  return replayFinding(report, finding, {
    repository,
    cacheDir: cacheDir(thisHost(env)),
    maxCacheBytes: values.cache.maxBytes,
    pythonRoots: values.python.roots,
    timeLimitMs: values.checkers.timeoutSeconds * 1000,
    running: way === null ? null : await runningAt(repository, report, way, { cwd, env, terminal }),
    progress: terminal.progress,
    onInterrupt,
  });
}

/** How code of branches runs, with the settings of base, as in the check. */
async function runningAt(
  repository: Repository,
  { base }: CheckReport,
  way: 'build' | 'tests',
  here: Pick<Surroundings, 'cwd' | 'env' | 'terminal'>,
): Promise<WitnessSettings | null> {
  const files = filesOfCommit(repository.git, base.commit);
  const { values: config } = await configAt(base.commit, files.read, { env: here.env, flags: [] });
  return witnessHere(here, { ways: [way], config, commit: base.commit, files, sandbox: undefined });
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
