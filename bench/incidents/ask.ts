import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckReport, type Finding } from '#schema/check-report.ts';
import type { Verdict } from '#schema/verdict.ts';
import { runMeasured } from '../measure.ts';
import type { Incident } from './incident.ts';
import type { Pair } from './rebuild.ts';
import type { Store } from './store.ts';

export interface Answer {
  /** null: the command gave no report. */
  readonly status: Verdict | null;
  readonly findings: readonly Finding[];
  readonly cpuMs: number;
}

/** Runs `check` on a pair as a user does, with an empty cache. */
export async function ask(
  command: string,
  store: Store,
  { base, earlier, later }: Pair,
  confirm: 'none' | 'types',
): Promise<Answer> {
  store.git('update-ref', 'refs/heads/earlier', earlier);
  store.git('update-ref', 'refs/heads/later', later);
  const cache = mkdtempSync(join(tmpdir(), 'joinery-incidents-cache-'));
  try {
    const args = ['check', '--base', base, '--confirm', confirm, '--json', 'earlier', 'later'];
    const { stdout, cpuMs } = await runMeasured(process.execPath, [command, ...args], {
      cwd: store.folder,
      env: { JOINERY_CACHE_DIR: cache },
    });
    const read = CheckReport.safeParse(parsed(stdout));
    if (!read.success) return { status: null, findings: [], cpuMs };
    return { status: read.data.status, findings: read.data.findings, cpuMs };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The findings that tell of this incident: shown, about both sides, in a file of the pattern, and they name where the two meet or
 * stand in a file of each half. Findings about text conflicts do not count: git merges every pair.
 */
export function telling(row: Incident, findings: readonly Finding[]): Finding[] {
  const name = new RegExp(`(?<![A-Za-z0-9_])${row.name.replace(/[^\w]/g, '\\$&')}(?![A-Za-z0-9_])`);
  const paths = new Set(row.pattern.map(({ path }) => path));
  const isInEachHalf = (files: readonly string[]) =>
    paths.size > 1 && [...paths].every((path) => files.includes(path));
  return findings.filter(
    ({ rule, effect, severity, branches, message, sites }) =>
      rule !== 'T01' &&
      effect !== 'hidden' &&
      (severity === 'blocking' || severity === 'important') &&
      branches.length > 1 &&
      sites.some(({ file }) => paths.has(file)) &&
      (name.test(message) ||
        sites.some(({ symbol }) => name.test(symbol)) ||
        isInEachHalf(sites.map(({ file }) => file))),
  );
}
