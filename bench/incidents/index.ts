import { publishedCommand } from '../built.ts';
import type { BenchOptions, Part } from '../part.ts';
import { type Answer, telling } from './ask.ts';
import { type CleanPairs, halfOf, type Incident, readCleanPairs, readIncidents } from './incident.ts';
import { askOnce } from './memory.ts';
import { rebuild, rebuildClean } from './rebuild.ts';
import { type Asked, type AskedClean, cleanTable, incidentTables } from './report.ts';
import { cloneIn, fetchCommits, openStore, type Store } from './store.ts';

export const incidents: Part = {
  name: 'incidents',
  summary: 'pairs of changes that broke real main branches, and the same pairs repaired',
  onlyWhenNamed: true,
  run: runPart,
};

async function runPart({ clean, held, repository, types }: BenchOptions): Promise<string> {
  const half = held ? 'held' : 'learn';
  const inHalf = <T extends { readonly repository: string }>(rows: readonly T[]) =>
    rows.filter((row) => halfOf(row.repository) === half);
  const from: Source = { folder: repository, confirm: types ? 'types' : 'none' };
  if (clean) return cleanTable(await eachRepository(inHalf(readCleanPairs()), from, askClean));
  return incidentTables(half, await eachRepository(inHalf(readIncidents()), from, askIncident));
}

interface Source {
  /** A folder of clones; null: commits are fetched by id. */
  readonly folder: string | null;
  readonly confirm: 'none' | 'types';
}

/** Rows of one repository share a store, and no two run at once: CPU time is measured. */
async function eachRepository<T extends { readonly repository: string }, R>(
  rows: readonly T[],
  { folder, confirm }: Source,
  answer: (
    store: Store,
    row: T,
    confirm: Source['confirm'],
    fetched: (commits: readonly string[]) => void,
  ) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = [];
  for (const [repository, own] of Map.groupBy(rows, (row) => row.repository)) {
    const store = openStore(folder === null ? null : cloneIn(folder, repository));
    const fetched = (commits: readonly string[]) => {
      if (folder === null) fetchCommits(store, `https://github.com/${repository}`, commits);
    };
    try {
      for (const row of own) answers.push(await answer(store, row, confirm, fetched));
    } finally {
      store.remove();
    }
  }
  return answers;
}

async function askIncident(
  store: Store,
  row: Incident,
  confirm: Source['confirm'],
  fetched: (commits: readonly string[]) => void,
): Promise<Asked> {
  fetched([row.earlier, row.later, row.repair]);
  const built = rebuild(store, row);
  if ('refused' in built) return { row, refused: built.refused };
  const answer = await askOnce(publishedCommand(), store, built.pair, confirm);
  const twin = await askOnce(publishedCommand(), store, built.twin, confirm);
  tell(`${row.repository} ${row.repair.slice(0, 10)} ${row.name}`, row, answer, twin);
  return { row, answer, twin, telling: telling(row, answer.findings) };
}

async function askClean(
  store: Store,
  { repository, language, pairs }: CleanPairs,
  confirm: Source['confirm'],
  fetched: (commits: readonly string[]) => void,
): Promise<AskedClean> {
  const answers: Answer[] = [];
  let refused = 0;
  for (const [earlier, later] of pairs) {
    fetched([earlier, later]);
    const pair = rebuildClean(store, earlier, later);
    if ('refused' in pair) {
      refused++;
      continue;
    }
    const answer = await askOnce(publishedCommand(), store, pair, confirm);
    answers.push(answer);
    for (const line of loud(answer))
      console.log(`${repository} ${earlier.slice(0, 10)} ${later.slice(0, 10)}: ${line}`);
  }
  return { repository, language, answers, refused };
}

function tell(title: string, row: Incident, answer: Answer, twin: Answer): void {
  const found = telling(row, answer.findings).map(({ rule }) => rule);
  console.log(
    `${title}: ${answer.status ?? 'no report'}, ${found.length > 0 ? `found by ${found.join(', ')}` : 'missed'}`,
  );
  for (const line of loud(twin)) console.log(`  twin: ${line}`);
}

/** What a union that is right should never show. */
function loud({ status, findings }: Answer): string[] {
  const lines = findings.flatMap(({ rule, confidence, effect, message }) =>
    rule !== 'T01' &&
    (effect === 'stops' || effect === 'asks' || (confidence === 'proven' && effect !== 'hidden'))
      ? [`${effect} ${confidence} ${rule} ${message}`]
      : [],
  );
  return status === 'pass' ? lines : [`${status ?? 'no report'}`, ...lines];
}
