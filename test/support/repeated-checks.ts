import { expect } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import type { GitRepository } from './git-repository.ts';
import { joinery, type Outcome, temporaryFolder } from './joinery.ts';

type Env = Readonly<Record<string, string>>;

async function verdictOf(repository: GitRepository, cache: string, env: Env) {
  const places = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache };
  const outcome = await joinery(['check', '--json', '--confirm', 'types'], {
    cwd: repository.dir,
    env: { ...places, ...env },
  });
  const { findings, inconclusive, degraded, checkers, status } = reportOf(outcome);
  return { code: outcome.code, status, findings, inconclusive, degraded, checkers };
}

/** Output instead of a report is the only trace of a failure that happens once in hundreds of checks. */
export function reportOf({ code, signal, stdout, stderr }: Outcome): CheckReport {
  try {
    return CheckReport.parse(JSON.parse(stdout));
  } catch (cause) {
    const end = signal ?? `exit code ${code}`;
    const printed = `stdout (${stdout.length} characters):\n${stdout}\nstderr:\n${stderr}`;
    throw new Error(`check printed no report (${end}). ${printed}`, { cause });
  }
}

/**
 * Checks the same commits repeatedly: with an empty cache, with a filled one, and twice at once with one cache. Returns the
 * verdict, which must be the same every time.
 */
export async function sameVerdict(repository: GitRepository, times: number, env: Env = {}) {
  const first = await verdictOf(repository, temporaryFolder(), env);
  for (let count = 0; count < times; count++) {
    const cache = temporaryFolder();
    expect(await verdictOf(repository, cache, env), `cold, time ${count + 1}`).toEqual(first);
    expect(await verdictOf(repository, cache, env), `warm, time ${count + 1}`).toEqual(first);
    const shared = temporaryFolder();
    const both = [verdictOf(repository, shared, env), verdictOf(repository, shared, env)];
    for (const verdict of await Promise.all(both))
      expect(verdict, `two at once, time ${count + 1}`).toEqual(first);
  }
  return first;
}
