import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CheckReport } from '../model/check-report.ts';
import { ConfigError } from '../model/errors.ts';
import { compareReports } from '../seams/delta.ts';

/** An earlier report and the ids that were fixed before it, so that what comes back is told from what is new. */
export interface Earlier {
  readonly report: CheckReport;
  readonly fixed: readonly string[];
}

/** `last` is what the last check of this repository found; anything else is the path of a JSON report. */
export function readEarlier(name: string, state: string, cwd: string, option = '--against'): Earlier {
  const file = name === 'last' ? lastFile(state) : resolve(cwd, name);
  const hint =
    name === 'last'
      ? `run joinery check once${option === '--against' ? ' without --against' : ''}`
      : 'write one: joinery check --json > report.json';
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ConfigError({
      code: 'unreadable-report',
      message: `${option}: ${file} cannot be read as JSON`,
      hint,
      cause,
    });
  }
  const stored = name === 'last' ? (value as { report?: unknown; fixed?: unknown }) : { report: value };
  const parsed = CheckReport.safeParse(stored.report);
  if (!parsed.success) {
    throw new ConfigError({
      code: 'unreadable-report',
      message: `${option}: ${file} is no joinery/check@1 report`,
      hint,
    });
  }
  const fixed = Array.isArray(stored.fixed)
    ? stored.fixed.map(String)
    : (parsed.data.delta?.fixed ?? []).map(({ id }) => id);
  return { report: parsed.data, fixed };
}

const mostFixed = 10_000;

/** Keeps a report for `--against last`. Two checks that end at once leave one whole file. */
export function rememberReport(state: string, report: CheckReport): void {
  if (isLast(state, report)) return;
  const before = earlierOrNone(state);
  const now = new Set(report.findings.map(({ id }) => id));
  const gone = before ? compareReports(before.report, report).fixed.map(({ id }) => id) : [];
  const fixed = [...new Set([...(before?.fixed ?? []), ...gone])]
    .filter((id) => !now.has(id))
    .slice(-mostFixed);
  const file = lastFile(state);
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, JSON.stringify({ report, fixed }));
    renameSync(draft, file);
  } catch {
    // A state folder that cannot be written costs only `--against last`.
  }
}

/** The same report again leaves nothing to add; told by its text, without reading it as JSON. */
function isLast(state: string, report: CheckReport): boolean {
  try {
    return readFileSync(lastFile(state), 'utf8').startsWith(`{"report":${JSON.stringify(report)},"fixed":`);
  } catch {
    return false;
  }
}

function earlierOrNone(state: string): Earlier | null {
  try {
    return readEarlier('last', state, '');
  } catch {
    return null;
  }
}

function lastFile(state: string): string {
  return join(state, 'reports', 'last-check.json');
}
