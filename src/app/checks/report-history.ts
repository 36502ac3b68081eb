import { mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { compareReports } from '#check/findings/delta.ts';
import type { CheckReport, Delta } from '#schema/check-report.ts';
import { ConfigError } from '#schema/errors.ts';
import type { Frame, Frames } from '#schema/frame.ts';

/** An earlier report, and the ids fixed before it: a finding that comes back is `regressed`, not `new`. */
export interface Earlier {
  readonly report: CheckReport;
  readonly fixed: readonly string[];
  /** How the findings changed from the check before it, if that is known. */
  readonly delta?: Delta;
}

/** Reads the last report of this repository (`last`), or a JSON report at a path. */
export async function readEarlier(
  name: string,
  state: string,
  cwd: string,
  option = '--against',
): Promise<Earlier> {
  const file = name === 'last' ? lastFile(state) : resolve(cwd, name);
  const hint =
    name === 'last'
      ? `run joinery check once${option === '--against' ? ' without --against' : ''}`
      : 'write one: joinery check --json > report.json';
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new ConfigError({
      code: 'unreadable-report',
      message: isMissing
        ? name === 'last'
          ? 'this repository has not been checked yet'
          : `${option}: there is no file ${name}`
        : `${option}: ${file} cannot be read as JSON`,
      hint,
      cause,
    });
  }
  const stored =
    name === 'last' ? (value as { report?: unknown; fixed?: unknown; delta?: unknown }) : { report: value };
  const { CheckReport: schema, Delta: deltaSchema } = await import('#schema/check-report.ts');
  const parsed = schema.safeParse(stored.report);
  if (!parsed.success) {
    throw new ConfigError({
      code: 'unreadable-report',
      message: `${option}: ${file} is not a joinery/check@1 report`,
      hint,
    });
  }
  const fixed = Array.isArray(stored.fixed)
    ? stored.fixed.map(String)
    : (parsed.data.delta?.fixed ?? []).map(({ id }) => id);
  const delta = 'delta' in stored ? deltaSchema.safeParse(stored.delta).data : undefined;
  return { report: parsed.data, fixed, ...(delta === undefined ? {} : { delta }) };
}

const mostFixed = 10_000;

/** Stores a report for `--against last`. Two checks that end at the same time leave one complete file. */
export function rememberReport(state: string, report: CheckReport, frames: Frames): void {
  const file = lastFile(state);
  const last = textOf(file);
  const text = JSON.stringify(report);
  // The same report again changes only the time.
  if (last.startsWith(`{"report":${text},"fixed":`)) {
    touch(file);
    return;
  }
  const now = new Set(report.findings.map(({ id }) => id));
  const { before, delta } = since(last, report);
  const gone = delta?.fixed.map(({ id }) => id) ?? [];
  const fixed = [...new Set([...before, ...gone])].filter((id) => !now.has(id)).slice(-mostFixed);
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    const history = delta === null ? '' : `,"delta":${JSON.stringify(delta)}`;
    writeFileSync(draft, `{"report":${text},"fixed":${JSON.stringify(fixed)}${history}}`);
    renameSync(draft, file);
    writeFileSync(draft, JSON.stringify(Object.fromEntries(frames)));
    renameSync(draft, framesFile(state));
  } catch {
    // Without a writable state folder only `--against last` is unavailable.
  }
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Ignored for the same reason as above.
  }
}

/** Empty if the file does not exist. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** What was fixed before the last check and what changed since. Its file may be absent or damaged. */
function since(text: string, report: CheckReport): { before: readonly string[]; delta: Delta | null } {
  try {
    const last: Earlier = JSON.parse(text);
    return { before: last.fixed, delta: compareReports(last.report, report, last.fixed) };
  } catch {
    return { before: [], delta: null };
  }
}

/** Code frames of the last check, by finding id; empty if there are none. */
export function lastFrames(state: string): Record<string, readonly Frame[]> {
  try {
    return JSON.parse(readFileSync(framesFile(state), 'utf8'));
  } catch {
    return {};
  }
}

/** When the last check ended; null if there was none. */
export function lastCheckedAt(state: string): Date | null {
  return statSync(lastFile(state), { throwIfNoEntry: false })?.mtime ?? null;
}

function framesFile(state: string): string {
  return join(state, 'reports', 'last-check-frames.json');
}

function lastFile(state: string): string {
  return join(state, 'reports', 'last-check.json');
}
