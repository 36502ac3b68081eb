import type { EventType } from '#schema/event.ts';

/** The fields of a journal row that a fork needs. */
export interface LogRow {
  readonly kind: 'event' | 'begun' | 'result' | 'artifact';
  readonly type: string | null;
  readonly step: string | null;
  readonly attempt: number | null;
  readonly key: string | null;
  readonly data: string;
  /** 1 on the last row of a commit. */
  readonly last: number;
}

type Commit<Row> = readonly Row[];

/** Everything a fork can start from: `plan`, `verify`, `tasks`, `api`, `api/2`, `integrate`. */
export function forkPoints(rows: readonly LogRow[]): string[] {
  const attempts = rows.flatMap(({ type, step, attempt }) =>
    type === 'attempt.started' && step !== null ? [attempt === 1 ? step : `${step}/${attempt}`] : [],
  );
  return ['plan', 'verify', 'tasks', ...attempts, 'integrate'].filter((at) => cutOf(commitsOf(rows), at) > 0);
}

/**
 * What a run had recorded when a step started; null if it never did. Attempts that were running then are kept up to their
 * commit if they reached it: they had started before, so they do not depend on the step. The others start over.
 */
export function rowsBefore<Row extends LogRow>(rows: readonly Row[], at: string): Row[] | null {
  const commits = commitsOf(rows);
  const cut = cutOf(commits, at);
  if (cut <= 0) return null;
  const open = openAttempts(commits.slice(0, cut).flat());
  const rest = commits.slice(cut);
  const kept = new Set(open.filter((attempt) => hasCommitted(rows, attempt)).map(nameOf));
  const dropped = open.map(nameOf).filter((name) => !kept.has(name));
  return [
    ...commits
      .slice(0, cut)
      .flatMap((commit) => whole(commit.filter((row) => !dropped.includes(attemptOf(row) ?? '')))),
    ...rest.flatMap((commit) =>
      whole(
        commit.filter((row) => row.kind === 'artifact' || (kept.has(attemptOf(row) ?? '') && isWork(row))),
      ),
    ),
  ];
}

function commitsOf<Row extends LogRow>(rows: readonly Row[]): Commit<Row>[] {
  const commits: Row[][] = [[]];
  for (const row of rows) {
    commits.at(-1)?.push(row);
    if (row.last === 1) commits.push([]);
  }
  return commits.filter((commit) => commit.length > 0);
}

/** Marks the last remaining row of a commit as its end. */
function whole<Row extends LogRow>(rows: readonly Row[]): Row[] {
  return rows.map((row, index) => ({ ...row, last: index === rows.length - 1 ? 1 : 0 }));
}

/** The commit with which a step starts; -1 if it never did. */
function cutOf(commits: readonly Commit<LogRow>[], at: string): number {
  switch (at) {
    case 'plan':
      return commits.findIndex((rows) => rows.some((row) => isPhase(row, 'plan')));
    case 'verify': {
      const planned = commits.findLastIndex((rows) =>
        rows.some(({ kind, key }) => kind === 'result' && key?.startsWith('plan/')),
      );
      return commits.findIndex((rows, n) => n > planned && rows.some((row) => isPhase(row, 'verify')));
    }
    case 'tasks':
      return commits.findIndex((rows) => rows.some(({ type }) => type === 'attempt.started'));
    case 'integrate': {
      const worked = commits.findLastIndex((rows) => rows.some(({ step }) => step !== null));
      return commits.findIndex(
        (rows, n) => n > worked && worked >= 0 && rows.some(({ type }) => type === 'run.integrated'),
      );
    }
    default: {
      const [, step, n] = /^(.*?)(?:\/(\d+))?$/.exec(at) ?? [];
      const wanted = (row: LogRow) => row.type === 'attempt.started' && row.step === step;
      return commits.findIndex((rows) => rows.some((row) => wanted(row) && row.attempt === Number(n ?? 1)));
    }
  }
}

function isPhase({ type, data }: LogRow, phase: string): boolean {
  if (type !== 'run.phase') return false;
  const said = JSON.parse(data) as { phase: string; status: string };
  return said.phase === phase && said.status === 'begun';
}

interface AttemptName {
  readonly step: string;
  readonly n: number;
}

function nameOf({ step, n }: AttemptName): string {
  return `${step}/${n}`;
}

function openAttempts(rows: readonly LogRow[]): AttemptName[] {
  const open = new Map<string, number>();
  for (const { type, step, attempt } of rows) {
    if (step === null || attempt === null) continue;
    if (type === 'attempt.started') open.set(step, attempt);
    if (type === 'attempt.ended') open.delete(step);
  }
  return [...open].map(([step, n]) => ({ step, n }));
}

/** Finished work on its branch: an agent was paid for it. */
function hasCommitted(rows: readonly LogRow[], { step, n }: AttemptName): boolean {
  return rows.some((row) => row.type === 'step.committed' && row.step === step && row.attempt === n);
}

const workTypes: ReadonlySet<string> = new Set<EventType>([
  'attempt.started',
  'worktree.ready',
  'attempt.prompted',
  'attempt.session',
  'attempt.said',
  'attempt.used',
  'attempt.permission',
  'attempt.retrying',
  'attempt.spent',
  'handoff.refused',
  'attempt.told',
  'attempt.stepped',
  'attempt.played',
  'step.committed',
]);

/** From its start to its commit; the later verdict depended on the work of others. */
function isWork({ kind, type, key }: LogRow): boolean {
  return kind === 'event' ? workTypes.has(type ?? '') : /\/(open|play|commit|worktree@\d+)$/.test(key ?? '');
}

/** `api/2` for everything that belongs to the second attempt of task api. */
function attemptOf({ kind, step, attempt, key }: LogRow): string | null {
  if (kind === 'artifact') return null;
  if (kind === 'event') return step !== null && attempt !== null ? `${step}/${attempt}` : null;
  return /^(.+\/\d+)\/[a-z]+(@\d+)?$/.exec(key ?? '')?.[1] ?? null;
}
